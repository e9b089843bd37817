-- What became of every question of a run at the largest k of an evaluation: receipts of sufficient@k (or, where the
-- contract asks for acceptable@k, of that). Input: $evaluation_id, $main. Grain: one row per variant x question that was
-- read in the corpus arena.
WITH named AS (
  SELECT v.name AS variant, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id,
    CAST(split_part(m.measure, '@', 2) AS BIGINT) AS k
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND m.arena = 'corpus' AND m.slice = 'all'
    AND split_part(m.measure, '@', 1) = $main
)
SELECT n.variant, n.k, r.question_id, r.value, r.reason, r.stage_loss
FROM named AS n
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
WHERE n.k = (SELECT max(k) FROM named)
ORDER BY n.variant, r.question_id
