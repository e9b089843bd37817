-- Given questions and all that qualify them, generation by generation.
-- Input: frame wanted(question_id). Grain: one row per question.
WITH RECURSIVE family AS (
  SELECT q.question_id, q.text
  FROM questions.question AS q
  JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = q.question_id
  UNION
  SELECT q.question_id, q.text
  FROM questions.question AS q
  JOIN family AS f ON f.question_id = q.parent_question_id
)
SELECT question_id, text FROM family ORDER BY question_id
