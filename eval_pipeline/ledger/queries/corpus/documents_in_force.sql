-- Purpose: documents as they stand now, to be compared with what is on disk.
-- Inputs: none.
-- Grain: one row per document that is not removed; columns of corpus.document, by document id.
SELECT
  document_id, batch_id, sequence, change, document_version_id, rendition_id, content_hash, source_path, media_type,
  size_bytes, metadata, access, access_groups, bucket
FROM corpus.document_in_force
ORDER BY document_id
