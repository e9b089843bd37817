-- Newest clustering under whatever settings: the parent of the next one.
-- Grain: no row or one.
SELECT v.* EXCLUDE (commit_id, made_at_utc)
FROM templates.template_version AS v
ORDER BY v.sequence DESC, v.template_version_id
LIMIT 1
