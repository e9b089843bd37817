-- Negatives that the questions of one variant were read against in one arena of an evaluation, and the run that was read.
-- Input: $evaluation_id, $variant, $arena. Grain: one row per run x question x negative; a question without
-- negatives has one row without a unit.
WITH named AS (
  SELECT DISTINCT m.retrieval_run_id, m.variant_id, v.is_control,
    unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND v.name = $variant AND m.arena = $arena AND m.slice = 'all'
)
SELECT DISTINCT n.retrieval_run_id, n.variant_id, n.is_control, r.question_id, d.negative_unit_id AS unit_id
FROM named AS n
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
LEFT JOIN receipts.receipt_negative AS d ON d.receipt_id = n.receipt_id
ORDER BY n.retrieval_run_id, r.question_id, d.negative_unit_id
