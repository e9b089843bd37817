-- Purpose: units of documents in force whose facets were not found yet under the metadata and settings of now.
-- Inputs: $buckets, list of bucket names.
-- Grain: one row per document version x unit; columns of corpus.unit, rendition_id, document_version_id, by unit id.
SELECT
  unit.unit_id, unit.document_id, unit.locator, unit.page_number, unit.picture_hash, unit.text_hash, unit.picture_path,
  unit.width_px, unit.height_px, unit.dpi, unit.notes, document.rendition_id, document.document_version_id
FROM corpus.document_in_force AS document
JOIN corpus.rendition_unit AS rendition_unit ON rendition_unit.rendition_id = document.rendition_id
JOIN corpus.unit AS unit ON unit.unit_id = rendition_unit.unit_id
ANTI JOIN corpus.unit_facets AS described
  ON described.document_version_id = document.document_version_id AND described.unit_id = unit.unit_id
WHERE list_contains($buckets::VARCHAR[], document.bucket)
ORDER BY unit.unit_id
