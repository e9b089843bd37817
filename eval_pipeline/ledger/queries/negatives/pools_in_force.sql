-- Pools of the current state of every template.
-- Input: frame state(template_id, members_hash), $settings_id. Grain: one row per unit.
SELECT p.unit_id, p.pool_id, p.template_id, p.template_version_id, p.members_hash, p.n_negatives
FROM negatives.unit_pool AS p
JOIN state AS s ON s.template_id = p.template_id AND s.members_hash = p.members_hash
WHERE p.settings_id = $settings_id
ORDER BY p.unit_id
