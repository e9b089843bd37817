-- The evaluation in force of given contracts, with their tasks.
-- Input: $contract_ids (list). Grain: one row per contract, by task.
SELECT c.task, c.contract_id, t.evaluation_id, t.turn, e.batch_id, e.label_snapshot_id, e.funnel, e.stamps
FROM metrics.evaluation_turn AS t
JOIN tasks.contract AS c ON c.contract_id = t.contract_id
JOIN metrics.evaluation AS e ON e.evaluation_id = t.evaluation_id
WHERE list_contains($contract_ids, t.contract_id)
  AND t.turn = (SELECT max(o.turn) FROM metrics.evaluation_turn AS o WHERE o.contract_id = t.contract_id)
ORDER BY c.task, c.made_at_utc DESC, c.contract_id
