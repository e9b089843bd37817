-- Questions written from the current state of every template: under the present quota, or under another one that cut off
-- nothing where the present one would not either (the same questions then).
-- Input: frames state(template_id, members_hash) and sampled_under(settings_id, quota), $quota.
-- Grain: one row per question.
SELECT DISTINCT q.* EXCLUDE (commit_id, made_at_utc), c.template_id, c.inclusion_probability
FROM questions.candidate_question AS c
JOIN state AS s ON s.template_id = c.template_id AND s.members_hash = c.members_hash
JOIN sampled_under AS u ON u.settings_id = c.settings_id
JOIN questions.sampled_template AS t
  ON t.template_id = c.template_id AND t.members_hash = c.members_hash AND t.settings_id = c.settings_id
JOIN questions.question AS q ON q.question_id = c.question_id
WHERE u.quota = $quota OR (t.n_questions < u.quota AND t.n_questions <= $quota)
ORDER BY q.question_id
