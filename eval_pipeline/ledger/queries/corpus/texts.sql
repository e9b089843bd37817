-- Purpose: text layers by hash.
-- Inputs: frame wanted(text_hash).
-- Grain: one row per distinct wanted text that is known; columns of corpus.layer_text, by text hash.
SELECT text_hash, text
FROM corpus.layer_text
WHERE text_hash IN (SELECT text_hash FROM wanted)
ORDER BY text_hash
