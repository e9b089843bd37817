-- Purpose: units in force that look like no template yet, for people.
-- Inputs: $template_version_id.
-- Grain: one row per unit, furthest from every template first; distance is null before there is any template.
WITH assignment AS (
  SELECT unit_id, state, distance
  FROM templates.template_assignment
  WHERE template_version_id = $template_version_id
  QUALIFY row_number() OVER (PARTITION BY unit_id ORDER BY "round" DESC) = 1
)
SELECT unit.unit_id, unit.source_path, unit.page_number, unit.access, unit.access_groups, assignment.distance
FROM corpus.unit_in_force AS unit
JOIN assignment ON assignment.unit_id = unit.unit_id
WHERE assignment.state = 'buffered'
ORDER BY assignment.distance DESC NULLS FIRST, unit.unit_id
