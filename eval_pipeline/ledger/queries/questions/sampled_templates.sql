-- Template states from which questions were written under these settings.
-- Input: $settings_id. Grain: one row per template x members hash.
SELECT template_id, members_hash FROM questions.sampled_template WHERE settings_id = $settings_id ORDER BY ALL
