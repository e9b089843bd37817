-- Members of the newest state of given templates that was pooled under these settings, and their pools.
-- Input: frame wanted(template_id), $settings_id. Grain: one row per template x unit.
WITH newest AS (
  SELECT t.template_id, max_by(t.members_hash, {'at': t.made_at_utc, 'hash': t.members_hash}) AS members_hash
  FROM negatives.pooled_template AS t
  JOIN (SELECT DISTINCT template_id FROM wanted) AS w ON w.template_id = t.template_id
  WHERE t.settings_id = $settings_id
  GROUP BY t.template_id
)
SELECT p.unit_id, p.template_id, p.state_hash, p.pool_id
FROM negatives.unit_pool AS p
JOIN newest AS n ON n.template_id = p.template_id AND n.members_hash = p.members_hash
WHERE p.settings_id = $settings_id
ORDER BY p.template_id, p.unit_id
