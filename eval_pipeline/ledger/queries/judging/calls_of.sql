-- Purpose: how a judge version was asked, what came of it and what it took.
-- Input: $judge_id.
-- Grain: one row per verdict and attempt.
SELECT * EXCLUDE (commit_id, made_at_utc)
FROM judging.call
WHERE judge_id = $judge_id
ORDER BY verdict_id, attempt
