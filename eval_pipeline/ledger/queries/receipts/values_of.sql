-- Values behind the figures of whole question sets, and whether a question was read against negatives of a declared
-- axis. Input: $evaluation_id. Grain: one row per variant x arena x measure x question; `is_apart` is true where every
-- hard negative of the question is there for its looks alone.
WITH named AS (
  SELECT v.name AS variant, m.arena, m.measure, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM metrics.metric AS m
  JOIN runs.variant AS v ON v.variant_id = m.variant_id
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE m.evaluation_id = $evaluation_id AND m.slice = 'all'
), read AS (
  SELECT n.variant, n.arena, n.measure, r.receipt_id, r.question_id, r.value, r.reason, r.n_candidates,
    r.n_unjudged, r.is_censored
  FROM named AS n
  JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
), apart AS (
  SELECT one.question_id, bool_and(drawn.axis = 'appearance') AS is_apart
  FROM (SELECT question_id, min(receipt_id) AS receipt_id FROM read WHERE arena = 'siblings' GROUP BY question_id) AS one
  JOIN receipts.receipt_negative AS drawn ON drawn.receipt_id = one.receipt_id
  GROUP BY one.question_id
)
SELECT read.* EXCLUDE (receipt_id), coalesce(apart.is_apart, false) AS is_apart
FROM read
LEFT JOIN apart ON apart.question_id = read.question_id
ORDER BY variant, arena, measure, question_id
