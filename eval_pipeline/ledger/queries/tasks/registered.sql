-- When a contract was recorded first.
-- Input: $contract_id. Grain: no row or one.
SELECT contract_id, task, made_at_utc FROM tasks.contract WHERE contract_id = $contract_id
