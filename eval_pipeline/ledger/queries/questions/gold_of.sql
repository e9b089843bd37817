-- Gold units of given questions.
-- Input: frame wanted(question_id). Grain: one row per question x position.
SELECT g.question_id, g.position, g.unit_id
FROM questions.question_gold AS g
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = g.question_id
ORDER BY g.question_id, g.position
