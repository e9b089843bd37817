-- Purpose: the corpus of now, described.
-- Inputs: none.
-- Grain: one row per unit; columns of UNIT_IN_FORCE, by unit id.
SELECT
  unit_id, document_id, document_version_id, source_path, media_type, bucket, locator, page_number, picture_hash,
  picture_path, text_hash, text_quality, facets, declared_id, access, access_groups
FROM corpus.unit_in_force
ORDER BY unit_id
