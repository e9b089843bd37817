-- What became of questions under one judge version and policy.
-- Input: $judge_id, $policy. Grain: one row per question x pool.
SELECT w.* EXCLUDE (commit_id, made_at_utc)
FROM questions.well_posedness AS w
WHERE w.judge_id = $judge_id AND w.policy = $policy
ORDER BY w.question_id, w.pool_id
