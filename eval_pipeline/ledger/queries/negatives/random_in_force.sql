-- Random negatives of a corpus snapshot under given settings.
-- Input: $batch_id, frame wanted(arena, settings_id). Grain: one row per gold unit x arena x rank.
SELECT n.unit_id, n.arena, n.rank, n.negative_unit_id
FROM negatives.random_negative AS n
JOIN (SELECT DISTINCT arena, settings_id FROM wanted) AS w ON w.arena = n.arena AND w.settings_id = n.settings_id
WHERE n.batch_id = $batch_id
ORDER BY n.arena, n.unit_id, n.rank
