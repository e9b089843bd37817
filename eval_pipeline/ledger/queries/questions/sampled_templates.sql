-- Template states from which the questions were written that the present quota gives: under the same quota, or under
-- another one that cut off nothing where the present one would not either.
-- Input: frame sampled_under(settings_id, quota), $quota. Grain: one row per template x members hash.
SELECT DISTINCT t.template_id, t.members_hash
FROM questions.sampled_template AS t
JOIN sampled_under AS u ON u.settings_id = t.settings_id
WHERE u.quota = $quota OR (t.n_questions < u.quota AND t.n_questions <= $quota)
ORDER BY ALL
