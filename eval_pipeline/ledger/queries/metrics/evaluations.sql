-- Evaluations of a contract, newest first.
-- Input: $contract_id. Grain: one row per evaluation.
SELECT e.*
FROM metrics.evaluation AS e
WHERE e.contract_id = $contract_id
ORDER BY e.sequence DESC, e.evaluation_id
