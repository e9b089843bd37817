-- Candidate pairs of given questions with what brought them.
-- Input: frame wanted(question_id). Grain: one row per question x unit x source.
SELECT c.question_id, c.unit_id, c.source, c.rank
FROM labels.candidate AS c
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = c.question_id
ORDER BY c.question_id, c.unit_id, c.source
