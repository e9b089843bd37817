-- Purpose: units in force with their template, for pools and questions.
-- Inputs: $template_version_id.
-- Grain: one row per unit in force that has a template; columns of MEMBER, by unit id.
WITH assignment AS (
  SELECT unit_id, template_id, template_version_id
  FROM templates.template_assignment
  WHERE template_version_id = $template_version_id
  QUALIFY row_number() OVER (PARTITION BY unit_id ORDER BY "round" DESC) = 1
)
SELECT
  unit.unit_id, unit.document_id, unit.document_version_id, unit.source_path, unit.media_type, unit.bucket,
  unit.locator, unit.page_number, unit.picture_hash, unit.picture_path, unit.text_hash, unit.text_quality, unit.facets,
  unit.declared_id, unit.access, unit.access_groups, template.template_id, template.template_version_id,
  template.bucket AS template_bucket
FROM corpus.unit_in_force AS unit
JOIN assignment ON assignment.unit_id = unit.unit_id
JOIN templates.template AS template
  ON template.template_version_id = assignment.template_version_id AND template.template_id = assignment.template_id
ORDER BY unit.unit_id
