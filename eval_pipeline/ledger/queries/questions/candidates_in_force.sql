-- Questions written from the current state of every template.
-- Input: frame state(template_id, members_hash), $settings_id. Grain: one row per question.
SELECT q.* EXCLUDE (commit_id, made_at_utc), c.template_id, c.inclusion_probability
FROM questions.candidate_question AS c
JOIN state AS s ON s.template_id = c.template_id AND s.members_hash = c.members_hash
JOIN questions.question AS q ON q.question_id = c.question_id
WHERE c.settings_id = $settings_id
ORDER BY q.question_id
