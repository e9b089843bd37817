-- What became of questions under one judge version, policy and version of the rules.
-- Input: $judge_id, $policy, $posing_version. Grain: one row per question x pool.
SELECT w.* EXCLUDE (commit_id, made_at_utc)
FROM questions.well_posedness AS w
WHERE w.judge_id = $judge_id AND w.policy = $policy AND w.posing_version = $posing_version
ORDER BY w.question_id, w.pool_id
