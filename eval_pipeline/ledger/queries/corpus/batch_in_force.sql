-- Purpose: the corpus snapshot of now.
-- Inputs: none.
-- Grain: one row, or none before the first batch; columns of corpus.batch.
SELECT batch_id, parent_batch_id, sequence, n_new, n_changed, n_removed
FROM corpus.batch_in_force
