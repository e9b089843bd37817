-- Purpose: where each unit stands in one clustering state: the highest round counts.
-- Inputs: $template_version_id.
-- Grain: one row per unit that was ever assigned or buffered; columns of templates.template_assignment, by unit id.
SELECT template_version_id, unit_id, "round", template_id, state, distance
FROM templates.template_assignment
WHERE template_version_id = $template_version_id
QUALIFY row_number() OVER (PARTITION BY unit_id ORDER BY "round" DESC) = 1
ORDER BY unit_id
