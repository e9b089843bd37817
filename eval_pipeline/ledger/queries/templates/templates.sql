-- Purpose: templates of one clustering state.
-- Inputs: $template_version_id.
-- Grain: one row per template; columns of templates.template, by template id.
SELECT
  template_version_id, template_id, bucket, announced_sequence, n_founders, exemplar_unit_id, centroid, threshold
FROM templates.template
WHERE template_version_id = $template_version_id
ORDER BY template_id
