-- What a judge or a writer may see of given units.
-- Input: frame wanted(unit_id). Grain: one row per unit.
SELECT u.unit_id, u.picture_path, t.text, max_by(f.text_quality, f.document_version_id) AS text_quality
FROM corpus.unit AS u
JOIN (SELECT DISTINCT unit_id FROM wanted) AS w ON w.unit_id = u.unit_id
JOIN corpus.layer_text AS t ON t.text_hash = u.text_hash
JOIN corpus.unit_facets AS f ON f.unit_id = u.unit_id
GROUP BY ALL
ORDER BY u.unit_id
