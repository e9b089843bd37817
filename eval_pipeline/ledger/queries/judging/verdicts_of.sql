-- Verdicts of one judge version on questions of given wordings: a verdict rests on the text, not on the question's id.
-- Input: frame wanted(text), $judge_id. Grain: one row per verdict.
SELECT v.* EXCLUDE (commit_id, made_at_utc)
FROM judging.verdict AS v
JOIN questions.question AS q ON q.question_id = v.question_id
JOIN (SELECT DISTINCT text FROM wanted) AS w ON w.text = q.text
WHERE v.judge_id = $judge_id
ORDER BY v.verdict_id
