-- Which evaluation of a contract is in force.
-- Input: $contract_id. Grain: no row or one.
SELECT contract_id, turn, evaluation_id
FROM metrics.evaluation_turn
WHERE contract_id = $contract_id
ORDER BY turn DESC
LIMIT 1
