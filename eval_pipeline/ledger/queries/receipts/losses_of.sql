-- Where the evidence of lost questions went, by variant: receipts of sufficient@k at the largest k of an evaluation.
-- Input: $evaluation_id. Grain: one row per variant x stage.
WITH named AS (
  SELECT v.name AS variant, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id, m.measure
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND m.arena = 'corpus' AND m.slice = 'all' AND m.measure LIKE 'sufficient@%'
), largest AS (
  SELECT max(CAST(split_part(measure, '@', 2) AS BIGINT)) AS k FROM named
)
SELECT n.variant, r.stage_loss AS stage, count(*) AS n
FROM named AS n
JOIN largest ON CAST(split_part(n.measure, '@', 2) AS BIGINT) = largest.k
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
WHERE r.stage_loss IS NOT NULL
GROUP BY ALL
ORDER BY ALL
