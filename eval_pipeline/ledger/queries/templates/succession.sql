-- Purpose: what became of every template when a version was made from the one before.
-- Inputs: $template_version_id.
-- Grain: one row per template of either version, by template id; none for a first clustering.
SELECT s.* EXCLUDE (commit_id, made_at_utc)
FROM templates.template_succession AS s
WHERE s.template_version_id = $template_version_id
ORDER BY s.template_id
