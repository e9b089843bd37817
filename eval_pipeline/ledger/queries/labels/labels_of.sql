-- Every label ever given to pairs of given questions.
-- Input: frame wanted(question_id). Grain: one row per label.
SELECT l.* EXCLUDE (commit_id, made_at_utc)
FROM labels.label AS l
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = l.question_id
ORDER BY l.label_id
