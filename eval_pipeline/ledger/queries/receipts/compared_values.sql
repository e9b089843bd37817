-- Values of single questions behind the figures of one measure in one arena, with the candidates that each was read over.
-- Input: $evaluation_id, $arena, $measure. Grain: one row per variant x question of the whole set; `is_apart` is true
-- where every hard negative of the question is there for its looks alone.
WITH named AS (
  SELECT v.name AS variant, v.is_control, m.denominator_id, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND m.slice = 'all' AND m.arena = $arena AND m.measure = $measure
), apart AS (
  SELECT n.receipt_id, bool_and(d.axis = 'appearance') AS is_apart
  FROM (SELECT DISTINCT receipt_id FROM named) AS n
  JOIN receipts.receipt_negative AS d ON d.receipt_id = n.receipt_id
  GROUP BY n.receipt_id
)
SELECT n.variant, n.is_control, n.denominator_id, r.question_id, r.value, r.reason, r.arena_id,
  coalesce(a.is_apart, false) AS is_apart
FROM named AS n
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
LEFT JOIN apart AS a ON a.receipt_id = n.receipt_id
ORDER BY n.variant, r.question_id
