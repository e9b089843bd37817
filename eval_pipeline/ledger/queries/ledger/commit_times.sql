-- Purpose: when each asset brought how many rows, to see how fast earlier runs went.
-- Inputs: none.
-- Grain: one row per commit made by a Dagster run, by time.
SELECT dagster_run_id, asset, made_at_utc, tables
FROM record."commit"
WHERE dagster_run_id IS NOT NULL
ORDER BY made_at_utc, commit_id
