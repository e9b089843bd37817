-- Purpose: the clustering state in force for given settings.
-- Inputs: $settings_id.
-- Grain: one row, or none before the first clustering; columns of templates.template_version.
SELECT template_version_id, parent_version_id, sequence, settings_id, settings, reason
FROM templates.template_version
WHERE settings_id = $settings_id
ORDER BY sequence DESC, template_version_id DESC
LIMIT 1
