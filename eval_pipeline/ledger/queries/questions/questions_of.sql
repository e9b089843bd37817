-- Given questions.
-- Input: frame wanted(question_id). Grain: one row per question.
SELECT q.* EXCLUDE (commit_id, made_at_utc)
FROM questions.question AS q
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = q.question_id
ORDER BY q.question_id
