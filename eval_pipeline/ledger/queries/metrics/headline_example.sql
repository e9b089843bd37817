-- A figure worth tracing: sufficient@1 in the siblings arena, of one variant of given contracts.
-- Input: $contract_ids (list). Grain: no row or one.
SELECT m.metric_id, v.name AS variant
FROM metrics.evaluation_turn AS t
JOIN metrics.metric AS m ON m.evaluation_id = t.evaluation_id
JOIN runs.variant AS v ON v.variant_id = m.variant_id
WHERE m.arena = 'siblings' AND m.slice = 'all' AND m.measure = 'sufficient@1' AND NOT v.is_control AND m.estimate IS NOT NULL
  AND list_contains($contract_ids, t.contract_id)
  AND t.turn = (SELECT max(o.turn) FROM metrics.evaluation_turn AS o WHERE o.contract_id = t.contract_id)
ORDER BY t.contract_id, v.name
LIMIT 1
