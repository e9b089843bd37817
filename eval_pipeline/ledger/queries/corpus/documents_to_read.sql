-- Purpose: documents in force whose pages were not made yet under the render settings of now.
-- Inputs: $buckets, list of bucket names.
-- Grain: one row per document; columns of corpus.document, by document id.
SELECT
  document_id, batch_id, sequence, change, document_version_id, rendition_id, content_hash, source_path, media_type,
  size_bytes, metadata, access, access_groups, bucket
FROM corpus.document_in_force AS document
ANTI JOIN corpus.rendition AS rendition USING (rendition_id)
WHERE list_contains($buckets::VARCHAR[], document.bucket)
ORDER BY document_id
