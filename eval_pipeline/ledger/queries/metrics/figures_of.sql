-- Figures of one evaluation with the names of their variants.
-- Input: $evaluation_id. Grain: one row per variant x arena x slice x measure.
SELECT m.* EXCLUDE (commit_id, made_at_utc), v.name AS variant, v.is_control
FROM metrics.metric AS m
JOIN runs.variant AS v ON v.variant_id = m.variant_id
WHERE m.evaluation_id = $evaluation_id
ORDER BY v.is_control, v.name, m.arena, m.slice, m.slice_value, m.measure
