-- Receipts behind the figures in force of given contracts, with the run that each was read from.
-- Input: $contract_ids (list). Grain: one row per receipt x run.
WITH named AS (
  SELECT m.retrieval_run_id, unnest(from_json(l.receipt_ids, '["VARCHAR"]')) AS receipt_id
  FROM metrics.evaluation_turn AS t
  JOIN metrics.metric AS m ON m.evaluation_id = t.evaluation_id AND m.slice = 'all'
  JOIN receipts.member_list AS l ON l.list_id = m.member_list_id
  WHERE list_contains($contract_ids, t.contract_id)
    AND t.turn = (SELECT max(o.turn) FROM metrics.evaluation_turn AS o WHERE o.contract_id = t.contract_id)
)
SELECT r.* EXCLUDE (commit_id, made_at_utc), n.retrieval_run_id
FROM (SELECT DISTINCT receipt_id, retrieval_run_id FROM named) AS n
JOIN receipts.receipt AS r ON r.receipt_id = n.receipt_id
ORDER BY r.receipt_id, n.retrieval_run_id
