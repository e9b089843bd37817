-- Who labelled what an evaluation's retrievers brought back: units in the first k of the corpus arena, at the largest k
-- of sufficient@k (acceptable@k), over questions with a value.
-- Input: $evaluation_id. Grain: one row per variant x author kind x author x type of judge; all null for units without
-- a label.
WITH measured AS (
  SELECT m.variant_id, m.measure, m.member_list_id, CAST(split_part(m.measure, '@', 2) AS BIGINT) AS k
  FROM metrics.metric AS m
  WHERE m.evaluation_id = $evaluation_id AND m.arena = 'corpus' AND m.slice = 'all'
    AND (m.measure LIKE 'sufficient@%' OR m.measure LIKE 'acceptable@%')
), largest AS (
  SELECT * FROM measured QUALIFY row_number() OVER (PARTITION BY variant_id ORDER BY k DESC, measure) = 1
), named AS (
  SELECT l.variant_id, l.k, unnest(from_json(lists.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM largest AS l
  JOIN receipts.member_list AS lists ON lists.list_id = l.member_list_id
), given AS (
  SELECT receipt_label.receipt_id, label.unit_id, label.author_kind, label.author, judge.kind AS judge_kind
  FROM receipts.receipt_label AS receipt_label
  JOIN labels.label AS label ON label.label_id = receipt_label.label_id
  LEFT JOIN judging.judge AS judge ON judge.judge_id = label.judge_id
  WHERE receipt_label.receipt_id IN (SELECT receipt_id FROM named)
)
SELECT v.name AS variant, n.k, g.author_kind, g.author, g.judge_kind, count(*) AS n
FROM named AS n
JOIN runs.variant AS v ON v.variant_id = n.variant_id AND NOT v.is_control
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id AND r.value IS NOT NULL
JOIN receipts.receipt_unit AS u ON u.receipt_id = n.receipt_id AND u.rank <= n.k
LEFT JOIN given AS g ON g.receipt_id = n.receipt_id AND g.unit_id = u.unit_id
GROUP BY ALL
ORDER BY ALL
