-- Values of one measure in one arena behind the figures of whole question sets.
-- Input: $evaluation_id, $arena, $measure. Grain: one row per variant x question.
WITH named AS (
  SELECT v.name AS variant, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND m.arena = $arena AND m.measure = $measure AND m.slice = 'all'
)
SELECT n.variant, r.question_id, r.value
FROM named AS n
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
ORDER BY n.variant, r.question_id
