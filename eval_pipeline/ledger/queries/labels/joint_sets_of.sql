-- Jointly sufficient sets of given questions.
-- Input: frame wanted(question_id). Grain: one row per set x unit.
SELECT j.joint_set_id, j.question_id, j.unit_id, j.author_kind, j.author
FROM labels.joint_set AS j
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = j.question_id
ORDER BY j.joint_set_id, j.unit_id
