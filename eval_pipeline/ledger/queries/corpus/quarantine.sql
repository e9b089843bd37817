-- Purpose: everything that was refused, or taken with a warning, and why.
-- Inputs: none.
-- Grain: one row per refused thing; columns of corpus.quarantine, by path, place, reason.
SELECT
  quarantine_id, source_path, place, reason, detail, next_step, content_hash, rendition_id, found_under, is_warning
FROM corpus.quarantine
ORDER BY source_path, place, reason, quarantine_id
