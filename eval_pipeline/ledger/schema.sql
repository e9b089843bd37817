-- The ledger's schema: one table per entry of foundation.tables, and what the ledger keeps of itself
-- (schema `record`; a schema may not bear the name of its file, ledger.duckdb).
-- Primary keys and checks only; no secondary indexes (DuckDB 1.5 can lose rows behind them after a kill).
-- Above the mark this file is spelled by `python -m eval_pipeline.ledger.spelling`; the views below it by hand.
-- Witness columns (made_at_utc, commit_id) tell whose row is shown: that of the earliest commit; they are no part
-- of row equality.

CREATE SCHEMA IF NOT EXISTS tasks;

-- one row per task contract, by content
CREATE TABLE IF NOT EXISTS tasks.contract (
  "contract_id" VARCHAR NOT NULL,  -- Hash of the canonical content of the contract.
  "task" VARCHAR NOT NULL,  -- Name of the task, as people call it.
  "content" VARCHAR NOT NULL,  -- The whole contract as canonical JSON.
  "registered_at_utc" TIMESTAMPTZ NOT NULL,  -- When the contract was first recorded; decides whether a receipt is late.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("contract_id")
);

-- one row per read of a held-out split: split x contract x run
CREATE TABLE IF NOT EXISTS tasks.look (
  "split" VARCHAR NOT NULL,  -- Name of the split that was read.
  "contract_id" VARCHAR NOT NULL,  -- Contract under which it was read.
  "retrieval_run_id" VARCHAR NOT NULL,  -- Run that was scored.
  "n_questions" BIGINT NOT NULL,  -- Questions of the split that were scored.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("split", "contract_id", "retrieval_run_id")
);

CREATE SCHEMA IF NOT EXISTS corpus;

-- one row per set of arrivals; the one with the highest sequence is the corpus snapshot
CREATE TABLE IF NOT EXISTS corpus.batch (
  "batch_id" VARCHAR NOT NULL,  -- Hash of the parent and of all document rows of the batch; names the corpus snapshot.
  "parent_batch_id" VARCHAR,  -- Batch before this one; null for the first.
  "sequence" BIGINT NOT NULL,  -- 1 for the first batch, one more than the parent's after that.
  "n_new" BIGINT NOT NULL,  -- Documents that were not there before.
  "n_changed" BIGINT NOT NULL,  -- Documents whose bytes, metadata or settings changed.
  "n_removed" BIGINT NOT NULL,  -- Documents that are gone.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("batch_id")
);

-- one row per document x batch in which it arrived, changed or went; the highest sequence is in force
CREATE TABLE IF NOT EXISTS corpus.document (
  "document_id" VARCHAR NOT NULL,  -- Declared id, else the relative POSIX path (NFC).
  "batch_id" VARCHAR NOT NULL,  -- Batch that brought this state.
  "sequence" BIGINT NOT NULL,  -- Sequence of that batch.
  "change" VARCHAR NOT NULL CHECK ("change" IN ('new', 'changed', 'removed')),  -- What happened.
  "document_version_id" VARCHAR NOT NULL,  -- Hash of content, metadata and settings: what facets are keyed by.
  "rendition_id" VARCHAR NOT NULL,  -- Hash of content and render settings: what pages are keyed by.
  "content_hash" VARCHAR NOT NULL,  -- SHA-256 of the file.
  "source_path" VARCHAR NOT NULL,  -- Path relative to the project folder, POSIX, NFC.
  "media_type" VARCHAR NOT NULL CHECK ("media_type" IN ('pdf', 'image')),  -- As sniffed from the bytes, not from the name.
  "size_bytes" BIGINT NOT NULL,  -- Size of the file.
  "metadata" VARCHAR NOT NULL,  -- Metadata rows of this document, raw, as canonical JSON: list of objects of text.
  "access" VARCHAR NOT NULL,  -- Access level of the document.
  "access_groups" VARCHAR NOT NULL,  -- Groups that may see it, as a JSON list; empty for no restriction by group.
  "bucket" VARCHAR NOT NULL,  -- Partition of the document, from the hash of its id.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("document_id", "batch_id")
);

-- one row per document content x render settings that was read
CREATE TABLE IF NOT EXISTS corpus.rendition (
  "rendition_id" VARCHAR NOT NULL,  -- Hash of document id, content and render settings.
  "document_id" VARCHAR NOT NULL,  -- Document that was read.
  "n_pages" BIGINT NOT NULL,  -- Pages that the file says it has; 0 when it could not be opened.
  "n_units" BIGINT NOT NULL,  -- Units made.
  "n_quarantined" BIGINT NOT NULL,  -- Pages, or the file, that were refused.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("rendition_id")
);

-- one row per rendition x unit
CREATE TABLE IF NOT EXISTS corpus.rendition_unit (
  "rendition_id" VARCHAR NOT NULL,  -- Rendition that holds the unit.
  "unit_id" VARCHAR NOT NULL,  -- Unit in it.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("rendition_id", "unit_id")
);

-- one row per answer unit, by content
CREATE TABLE IF NOT EXISTS corpus.unit (
  "unit_id" VARCHAR NOT NULL,  -- Hash of document id, locator, picture hash and text-layer hash.
  "document_id" VARCHAR NOT NULL,  -- Document that holds it.
  "locator" VARCHAR NOT NULL,  -- Place in the document: `page=3` (1-based).
  "page_number" BIGINT NOT NULL,  -- 1-based page.
  "picture_hash" VARCHAR NOT NULL,  -- SHA-256 of the RGB raster (size and pixels), not of the file that stores it.
  "text_hash" VARCHAR NOT NULL,  -- SHA-256 of the cleaned text layer; that of the empty text where there is none.
  "picture_path" VARCHAR NOT NULL,  -- Relative path of the stored picture.
  "width_px" BIGINT NOT NULL,  -- Width of the stored picture.
  "height_px" BIGINT NOT NULL,  -- Height of the stored picture.
  "dpi" DOUBLE,  -- Resolution at which it was drawn; below the declared one where a cap scaled it down.
  "notes" VARCHAR NOT NULL,  -- What a reader should know of how it was made, as a JSON list of words; usually empty.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("unit_id")
);

-- one row per distinct text layer
CREATE TABLE IF NOT EXISTS corpus.layer_text (
  "text_hash" VARCHAR NOT NULL,  -- SHA-256 of the text.
  "text" VARCHAR NOT NULL,  -- Cleaned text in reading order as the file gives it; may be empty.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("text_hash")
);

-- one row per document version x unit
CREATE TABLE IF NOT EXISTS corpus.unit_facets (
  "document_version_id" VARCHAR NOT NULL,  -- Version whose metadata and settings gave the facets.
  "unit_id" VARCHAR NOT NULL,  -- Unit described.
  "facets" VARCHAR NOT NULL,  -- Normalised facets as canonical JSON object; a facet that is missing or unparsed is absent.
  "facets_raw" VARCHAR NOT NULL,  -- Values as given, before normalising, as canonical JSON object.
  "unparsed" VARCHAR NOT NULL,  -- Facets that had a value which could not be parsed, as canonical JSON object.
  "declared_id" VARCHAR,  -- The user's own id of the page (`page_id` column); null without one.
  "text_quality" VARCHAR NOT NULL CHECK ("text_quality" IN ('good', 'garbled', 'missing')),  -- Whether the text layer can be read.
  "access" VARCHAR NOT NULL,  -- Access level of the unit.
  "access_groups" VARCHAR NOT NULL,  -- Groups that may see it, as a JSON list.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("document_version_id", "unit_id")
);

-- one row per refused thing
CREATE TABLE IF NOT EXISTS corpus.quarantine (
  "quarantine_id" VARCHAR NOT NULL,  -- Hash of where and why.
  "source_path" VARCHAR NOT NULL,  -- File, relative to the project folder.
  "place" VARCHAR NOT NULL,  -- Row, page or key inside it; empty for the whole file.
  "reason" VARCHAR NOT NULL,  -- Short reason, the same words for the same fault: `password required`, `too slow`, ...
  "detail" VARCHAR NOT NULL,  -- What was expected and what was found.
  "next_step" VARCHAR NOT NULL,  -- What to do about it.
  "content_hash" VARCHAR,  -- Hash of the file as it was then; null where it could not be read.
  "rendition_id" VARCHAR,  -- Rendition that was refused; null for table rows.
  "found_under" VARCHAR,  -- Arrivals, look-up of a question file or document version that it was found under; null without one.
  "is_warning" BOOLEAN NOT NULL,  -- True when the thing was taken all the same, and this says what to know about it.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("quarantine_id")
);

CREATE SCHEMA IF NOT EXISTS embeddings;

-- one row per encoder: weights, preprocessing and precision
CREATE TABLE IF NOT EXISTS embeddings.encoder (
  "encoder_id" VARCHAR NOT NULL,  -- Hash of configuration, weights, preprocessing and precision.
  "name" VARCHAR NOT NULL,  -- Name to show; carries `(untrained)` where the weights were never trained.
  "kind" VARCHAR NOT NULL CHECK ("kind" IN ('open_clip', 'layout')),  -- What it is.
  "dim" BIGINT NOT NULL,  -- Length of its vectors.
  "is_trained" BOOLEAN NOT NULL,  -- False for seeded random weights.
  "description" VARCHAR NOT NULL,  -- Configuration, weights hash, transform and precision as canonical JSON.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("encoder_id")
);

-- one row per .npy file
CREATE TABLE IF NOT EXISTS embeddings.vector_file (
  "vector_file_id" VARCHAR NOT NULL,  -- Hash of the encoder and the picture hashes, in row order.
  "encoder_id" VARCHAR NOT NULL,  -- Encoder that made it.
  "path" VARCHAR NOT NULL,  -- Relative path; float32, C order, (n_rows, dim), rows of unit length.
  "n_rows" BIGINT NOT NULL,  -- Rows.
  "dim" BIGINT NOT NULL,  -- Columns.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("vector_file_id")
);

-- one row per picture x encoder x file; the smallest file id is read
CREATE TABLE IF NOT EXISTS embeddings.unit_vector (
  "picture_hash" VARCHAR NOT NULL,  -- Picture that was embedded.
  "encoder_id" VARCHAR NOT NULL,  -- Encoder.
  "vector_file_id" VARCHAR NOT NULL,  -- File.
  "row" BIGINT NOT NULL,  -- 0-based row in it.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("picture_hash", "encoder_id", "vector_file_id")
);

-- one row per picture x encoder that has no usable vector
CREATE TABLE IF NOT EXISTS embeddings.refused_vector (
  "picture_hash" VARCHAR NOT NULL,  -- Picture.
  "encoder_id" VARCHAR NOT NULL,  -- Encoder.
  "reason" VARCHAR NOT NULL,  -- Why: unreadable picture, not finite, zero length.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("picture_hash", "encoder_id")
);

CREATE SCHEMA IF NOT EXISTS templates;

-- one row per clustering state; the highest sequence of the settings in use is in force
CREATE TABLE IF NOT EXISTS templates.template_version (
  "template_version_id" VARCHAR NOT NULL,  -- Hash of parent, settings and founding units.
  "parent_version_id" VARCHAR,  -- Version before; null for the first.
  "sequence" BIGINT NOT NULL,  -- 1 for the first, then one more than the parent's.
  "settings_id" VARCHAR NOT NULL,  -- Hash of encoder ids and clustering settings.
  "settings" VARCHAR NOT NULL,  -- The settings, as canonical JSON.
  "reason" VARCHAR NOT NULL,  -- Why it was made: first clustering, new settings, ...
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_version_id")
);

-- one row per template x version
CREATE TABLE IF NOT EXISTS templates.template (
  "template_version_id" VARCHAR NOT NULL,  -- Version.
  "template_id" VARCHAR NOT NULL,  -- Hash of the founding members; carried over re-clustering.
  "bucket" VARCHAR NOT NULL,  -- Partition, from the hash of the template id.
  "announced_sequence" BIGINT NOT NULL,  -- Sequence of the batch in which it first appeared.
  "n_founders" BIGINT NOT NULL,  -- Units from which it was made.
  "exemplar_unit_id" VARCHAR NOT NULL,  -- Founding unit nearest to the centroid.
  "centroid" VARCHAR NOT NULL,  -- Centroid in the clustering space, as a JSON list of numbers.
  "threshold" DOUBLE NOT NULL,  -- Largest cosine distance at which a new unit is assigned.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_version_id", "template_id")
);

-- one row per version x unit x round; the highest round is in force
CREATE TABLE IF NOT EXISTS templates.template_assignment (
  "template_version_id" VARCHAR NOT NULL,  -- Version.
  "unit_id" VARCHAR NOT NULL,  -- Unit.
  "round" BIGINT NOT NULL,  -- Sequence of the batch after which this was decided.
  "template_id" VARCHAR,  -- Template; null while the unit waits in the buffer.
  "state" VARCHAR NOT NULL CHECK ("state" IN ('founding', 'assigned', 'new', 'buffered')),  -- How it got there.
  "distance" DOUBLE,  -- Cosine distance to the centroid; null in the buffer without any template.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_version_id", "unit_id", "round")
);

-- one row per version that was made from another x template of either of the two
CREATE TABLE IF NOT EXISTS templates.template_succession (
  "template_version_id" VARCHAR NOT NULL,  -- The new version.
  "template_id" VARCHAR NOT NULL,  -- Template of the new version, of the one before, or of both.
  "parent_version_id" VARCHAR NOT NULL,  -- The version before.
  "bucket" VARCHAR NOT NULL,  -- Partition of the template.
  "kind" VARCHAR NOT NULL CHECK ("kind" IN ('kept', 'merged', 'split', 'new', 'retired')),  -- What became of it: in both; gone, most members in another; new, most members from another; neither.
  "related_template_id" VARCHAR,  -- Kept: itself; merged: into which; split: from which; null for new and retired.
  "n_before" BIGINT NOT NULL,  -- Members in the version before that are in the corpus; 0 where it was not there.
  "n_after" BIGINT NOT NULL,  -- Members in the new version, arrivals too; 0 where it is gone.
  "n_shared" BIGINT NOT NULL,  -- Members that it has in common with the related template.
  "parent_template_ids" VARCHAR NOT NULL,  -- Old templates that its members come from, most first, as a JSON list.
  "child_template_ids" VARCHAR NOT NULL,  -- New templates that its old members went to, most first, as a JSON list.
  "is_touched" BOOLEAN NOT NULL,  -- Whether its members are others than before, so that what rests on it is stale.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_version_id", "template_id")
);

CREATE SCHEMA IF NOT EXISTS negatives;

-- one row per template state x pool settings that was worked through
CREATE TABLE IF NOT EXISTS negatives.pooled_template (
  "template_id" VARCHAR NOT NULL,  -- Template.
  "members_hash" VARCHAR NOT NULL,  -- Hash over its members: unit ids, normalised facets, picture hashes.
  "settings_id" VARCHAR NOT NULL,  -- Hash of axes, k and the encoder.
  "n_units" BIGINT NOT NULL,  -- Members.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_id", "members_hash", "settings_id")
);

-- one row per unit x template state x pool settings
CREATE TABLE IF NOT EXISTS negatives.unit_pool (
  "unit_id" VARCHAR NOT NULL,  -- Unit whose negatives these are.
  "template_id" VARCHAR NOT NULL,  -- Template they come from.
  "template_version_id" VARCHAR NOT NULL,  -- Version of the clustering.
  "members_hash" VARCHAR NOT NULL,  -- State of the template.
  "settings_id" VARCHAR NOT NULL,  -- Pool settings.
  "pool_id" VARCHAR NOT NULL,  -- Hash of the pool's content: unit, axes, ranks, negatives, shortfalls.
  "n_negatives" BIGINT NOT NULL,  -- Distinct negatives in it.
  "state_hash" VARCHAR NOT NULL,  -- Hash of what the rule reads of the unit; empty where it has no vector.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("unit_id", "members_hash", "settings_id")
);

-- one row per pool x axis x rank
CREATE TABLE IF NOT EXISTS negatives.negative (
  "pool_id" VARCHAR NOT NULL,  -- Pool.
  "unit_id" VARCHAR NOT NULL,  -- Unit whose negative it is.
  "axis" VARCHAR NOT NULL,  -- Axis on which the two differ, or `appearance`.
  "rank" BIGINT NOT NULL,  -- 1-based, nearest by appearance first, within the axis.
  "negative_unit_id" VARCHAR NOT NULL,  -- The sibling.
  "similarity" DOUBLE NOT NULL,  -- Cosine similarity of the two pictures.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("pool_id", "axis", "rank")
);

-- one row per pool x axis with fewer negatives than places
CREATE TABLE IF NOT EXISTS negatives.shortfall (
  "pool_id" VARCHAR NOT NULL,  -- Pool.
  "unit_id" VARCHAR NOT NULL,  -- Unit.
  "axis" VARCHAR NOT NULL,  -- Axis with missing places, or `appearance`.
  "n_wanted" BIGINT NOT NULL,  -- Places.
  "n_found" BIGINT NOT NULL,  -- Negatives found.
  "reason" VARCHAR NOT NULL,  -- Why: no sibling differs on this axis alone, all are copies, missing facet NAME, ...
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("pool_id", "axis")
);

-- one row per gold unit x arena x settings x corpus snapshot x drawn unit
CREATE TABLE IF NOT EXISTS negatives.random_negative (
  "unit_id" VARCHAR NOT NULL,  -- Gold unit.
  "arena" VARCHAR NOT NULL,  -- `random`, or `random@499` and the like.
  "settings_id" VARCHAR NOT NULL,  -- Hash of size and seed.
  "batch_id" VARCHAR NOT NULL,  -- Corpus snapshot of the draw.
  "rank" BIGINT NOT NULL,  -- 1-based, by seeded hash.
  "negative_unit_id" VARCHAR NOT NULL,  -- Drawn unit.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("unit_id", "arena", "settings_id", "batch_id", "rank")
);

CREATE SCHEMA IF NOT EXISTS judging;

-- one row per judge version
CREATE TABLE IF NOT EXISTS judging.judge (
  "judge_id" VARCHAR NOT NULL,  -- Hash of everything that could change a verdict.
  "name" VARCHAR NOT NULL,  -- Name in eval.yaml.
  "kind" VARCHAR NOT NULL,  -- Type of judge: text-match, vlm, ...
  "settings" VARCHAR NOT NULL,  -- Settings as canonical JSON.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("judge_id")
);

-- one row per verb x question x unit content x judge version
CREATE TABLE IF NOT EXISTS judging.verdict (
  "verdict_id" VARCHAR NOT NULL,  -- Hash of verb, question text, picture hash, text hash and judge.
  "verb" VARCHAR NOT NULL CHECK ("verb" IN ('answers', 'label')),  -- What was asked.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "unit_id" VARCHAR NOT NULL,  -- Unit that was judged first under this id.
  "judge_id" VARCHAR NOT NULL,  -- Judge version.
  "outcome" VARCHAR NOT NULL CHECK ("outcome" IN ('yes', 'no', 'sufficient', 'supporting', 'irrelevant', 'abstain')),  -- yes, no or abstain for `answers`; a grade or abstain for `label`.
  "reason" VARCHAR NOT NULL,  -- The judge's words.
  "confidence" DOUBLE,  -- 0 to 1; null where the judge gives none.
  "n_tokens" BIGINT,  -- Tokens paid; null for judges that cost none.
  "elapsed_s" DOUBLE,  -- Seconds taken; null where not measured.
  "decided_at_utc" TIMESTAMPTZ NOT NULL,  -- When it was decided.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("verdict_id")
);

-- one row per time that a paid judge was asked, or any judge failed, on a verdict
CREATE TABLE IF NOT EXISTS judging.call (
  "verdict_id" VARCHAR NOT NULL,  -- The verdict that was asked for; there is one of that id where the outcome is `verdict`.
  "attempt" BIGINT NOT NULL,  -- 1 for the first time it was asked; 0 where it was not asked and waits.
  "verb" VARCHAR NOT NULL CHECK ("verb" IN ('answers', 'label')),  -- What was asked.
  "question_id" VARCHAR NOT NULL,  -- Question under which it was asked; another of the same wording may come next time.
  "unit_id" VARCHAR NOT NULL,  -- Unit under which it was asked; likewise.
  "judge_id" VARCHAR NOT NULL,  -- Judge version.
  "outcome" VARCHAR NOT NULL CHECK ("outcome" IN ('verdict', 'cut', 'filtered', 'refused', 'empty', 'malformed', 'other pages', 'missing', 'doubled', 'not a verdict', 'rejected', 'rate limited', 'server error', 'timed out', 'unreachable', 'no page content', 'too small to read', 'failed', 'over budget', 'stopped')),  -- `verdict`, or why there is none.
  "detail" VARCHAR NOT NULL,  -- The failure in words; empty where there is a verdict.
  "finish_reason" VARCHAR,  -- Why the last reply ended, in the endpoint's word; null without one.
  "model" VARCHAR,  -- Model that served it, in the endpoint's word; null without a reply.
  "picture_size" VARCHAR,  -- `WIDTHxHEIGHT` as sent; null where no picture was.
  "shown_order" VARCHAR,  -- Units in the order shown, as a JSON list; null for a single one.
  "n_requests" BIGINT NOT NULL,  -- Requests sent, retries among them.
  "n_input_tokens" BIGINT,  -- Tokens read; null where not told.
  "n_output_tokens" BIGINT,  -- Tokens written; null where not told.
  "usd" DOUBLE,  -- Money; null where neither the endpoint nor eval.yaml tells a price.
  "elapsed_s" DOUBLE,  -- Seconds, waiting included; null where nothing was asked.
  "called_at_utc" TIMESTAMPTZ NOT NULL,  -- When.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("verdict_id", "attempt")
);

CREATE SCHEMA IF NOT EXISTS questions;

-- one row per question, by content
CREATE TABLE IF NOT EXISTS questions.question (
  "question_id" VARCHAR NOT NULL,  -- Hash of text, gold units, writer, parent and of a user's id and answer.
  "text" VARCHAR NOT NULL,  -- The question as a retriever gets it.
  "origin" VARCHAR NOT NULL CHECK ("origin" IN ('written', 'qualified', 'import', 'ticket')),  -- Where it came from.
  "writer" VARCHAR NOT NULL,  -- Writer and version, or the file that was imported.
  "parent_question_id" VARCHAR,  -- Question that this one qualifies; null otherwise.
  "declared_id" VARCHAR,  -- The user's own question id; null for written ones.
  "expected_answer" VARCHAR,  -- Answer as the writer or the user gave it; no judge ever sees it.
  "subject" VARCHAR,  -- Metric phrase asked for, as the writer read it; null where unknown.
  "named_axes" VARCHAR NOT NULL,  -- Axes that the text names, declared or not, sorted, as a JSON list.
  "query_form" VARCHAR NOT NULL,  -- How it is asked: `question text`, ...
  "relation" VARCHAR NOT NULL,  -- Relation of the task: `evidence`, ...
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id")
);

-- one row per question x gold unit; questions without any have no row
CREATE TABLE IF NOT EXISTS questions.question_gold (
  "question_id" VARCHAR NOT NULL,  -- Question.
  "position" BIGINT NOT NULL,  -- 1-based, in declared order; the first draws the negatives.
  "unit_id" VARCHAR NOT NULL,  -- Gold unit.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id", "position")
);

-- one row per template state x sampling settings that was worked through
CREATE TABLE IF NOT EXISTS questions.sampled_template (
  "template_id" VARCHAR NOT NULL,  -- Template.
  "members_hash" VARCHAR NOT NULL,  -- State of the template.
  "settings_id" VARCHAR NOT NULL,  -- Hash of sampling settings and writers.
  "n_pages" BIGINT NOT NULL,  -- Pages sampled.
  "n_questions" BIGINT NOT NULL,  -- Questions written.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_id", "members_hash", "settings_id")
);

-- one row per template state x sampling settings x question
CREATE TABLE IF NOT EXISTS questions.candidate_question (
  "template_id" VARCHAR NOT NULL,  -- Template of the page that the question was written from.
  "members_hash" VARCHAR NOT NULL,  -- State of the template.
  "settings_id" VARCHAR NOT NULL,  -- Sampling settings.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "inclusion_probability" DOUBLE NOT NULL,  -- Chance of its page to be sampled.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("template_id", "members_hash", "settings_id", "question_id")
);

-- one row per time that a paid writer was asked about a page
CREATE TABLE IF NOT EXISTS questions.written_page (
  "writer" VARCHAR NOT NULL,  -- Writer and version.
  "unit_id" VARCHAR NOT NULL,  -- The one page that it saw.
  "attempt" BIGINT NOT NULL,  -- 1 for the first time; 0 where it was not asked and the page waits.
  "outcome" VARCHAR NOT NULL CHECK ("outcome" IN ('written', 'cut', 'filtered', 'refused', 'empty', 'malformed', 'other pages', 'missing', 'doubled', 'not a verdict', 'rejected', 'rate limited', 'server error', 'timed out', 'unreachable', 'no page content', 'too small to read', 'failed', 'over budget', 'stopped')),  -- `written`, or why nothing was.
  "detail" VARCHAR NOT NULL,  -- The failure in words, or what of the reply was left out and why; may be empty.
  "written" VARCHAR,  -- Questions as a JSON list: text, expected_answer, evidence, named (words by axis); null after a failure.
  "finish_reason" VARCHAR,  -- Why the last reply ended, in the endpoint's word; null without one.
  "model" VARCHAR,  -- Model that served it, in the endpoint's word; null without a reply.
  "picture_size" VARCHAR,  -- `WIDTHxHEIGHT` as sent; null where no picture was.
  "shown_order" VARCHAR,  -- Units in the order shown, as a JSON list; null for a single one.
  "n_requests" BIGINT NOT NULL,  -- Requests sent, retries among them.
  "n_input_tokens" BIGINT,  -- Tokens read; null where not told.
  "n_output_tokens" BIGINT,  -- Tokens written; null where not told.
  "usd" DOUBLE,  -- Money; null where neither the endpoint nor eval.yaml tells a price.
  "elapsed_s" DOUBLE,  -- Seconds, waiting included; null where nothing was asked.
  "asked_at_utc" TIMESTAMPTZ NOT NULL,  -- When.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("writer", "unit_id", "attempt")
);

-- one row per import source x corpus snapshot x question
CREATE TABLE IF NOT EXISTS questions.imported_question (
  "source_id" VARCHAR NOT NULL,  -- Hash of the import file's content and mapping, or of the ticket.
  "batch_id" VARCHAR NOT NULL,  -- Corpus snapshot against which its gold units were looked up.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "kind" VARCHAR NOT NULL CHECK ("kind" IN ('import', 'ticket')),  -- What it is.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("source_id", "batch_id", "question_id")
);

-- one row per question x pool x judge version x policy x version of the rules
CREATE TABLE IF NOT EXISTS questions.well_posedness (
  "question_id" VARCHAR NOT NULL,  -- Question.
  "pool_id" VARCHAR NOT NULL,  -- Pool that was judged; empty text where the question has no gold unit.
  "judge_id" VARCHAR NOT NULL,  -- Judge version.
  "policy" VARCHAR NOT NULL,  -- `drop` or `promote`: what a still answerable child means.
  "posing_version" VARCHAR NOT NULL,  -- Version of the code that asked, decided and qualified.
  "outcome" VARCHAR NOT NULL CHECK ("outcome" IN ('well_posed', 'gold_fails', 'answerable', 'unresolved', 'no_gold', 'waiting')),  -- What became of it.
  "slice" VARCHAR CHECK ("slice" IN ('main', 'under-specified', 'regression')),  -- Slice it belongs to; null when it is in none.
  "reason" VARCHAR NOT NULL,  -- The reason in words, as MEASURES 2 spells it; `well posed` for well-posed ones.
  "failing_axes" VARCHAR NOT NULL,  -- Axes with a yes, in declared order, as a JSON list.
  "failing_unit_id" VARCHAR,  -- First negative with a yes; null without one.
  "promoted_unit_ids" VARCHAR NOT NULL,  -- Negatives promoted to sufficient, as a JSON list.
  "child_question_id" VARCHAR,  -- Question that qualifies this one; null without one.
  "n_judged" BIGINT NOT NULL,  -- Negatives judged.
  "n_abstained" BIGINT NOT NULL,  -- Of these, abstentions.
  "gold_abstained" BOOLEAN NOT NULL,  -- True when the judge abstained on the gold unit.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id", "pool_id", "judge_id", "policy", "posing_version")
);

CREATE SCHEMA IF NOT EXISTS runs;

-- one row per variant, by full configuration
CREATE TABLE IF NOT EXISTS runs.variant (
  "variant_id" VARCHAR NOT NULL,  -- Hash of the full configuration, encoder included.
  "name" VARCHAR NOT NULL,  -- Name in eval.yaml, or `control-...`.
  "kind" VARCHAR NOT NULL,  -- Type of retriever.
  "configuration" VARCHAR NOT NULL,  -- Canonical JSON.
  "is_control" BOOLEAN NOT NULL,  -- True for controls.
  "encoder_id" VARCHAR,  -- Encoder that it uses; null without one.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("variant_id")
);

-- one row per variant x corpus snapshot
CREATE TABLE IF NOT EXISTS runs.retrieval_run (
  "retrieval_run_id" VARCHAR NOT NULL,  -- Hash of variant and corpus snapshot.
  "variant_id" VARCHAR NOT NULL,  -- Variant.
  "batch_id" VARCHAR NOT NULL,  -- Corpus snapshot that was searched.
  "depth" BIGINT NOT NULL,  -- Places stored per stage.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("retrieval_run_id")
);

-- one row per run x question x stage
CREATE TABLE IF NOT EXISTS runs.question_ranking (
  "retrieval_run_id" VARCHAR NOT NULL,  -- Run.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "stage" VARCHAR NOT NULL,  -- `image.exact`, `image.ann`, `lexical`, `returned`, `fused`, `reranked`, `eligible`, `final`, a name of an outside retriever, or `arena:NAME` for scored arenas.
  "ranking_id" VARCHAR NOT NULL,  -- Hash of variant, question, stage and the unit ids in order.
  "n_units" BIGINT NOT NULL,  -- Length of the list; 0 is an empty answer, no row is a question not run.
  "notes" VARCHAR NOT NULL,  -- `truncated`, `single-source`, ... as a JSON list.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("retrieval_run_id", "question_id", "stage")
);

-- one row per ranking x rank
CREATE TABLE IF NOT EXISTS runs.ranking (
  "ranking_id" VARCHAR NOT NULL,  -- Ranking.
  "rank" BIGINT NOT NULL,  -- 1-based.
  "unit_id" VARCHAR NOT NULL,  -- Unit.
  "score" DOUBLE NOT NULL,  -- Score of the retriever at this stage: higher is better.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("ranking_id", "rank")
);

-- one row per run x question x way in which it was not answered
CREATE TABLE IF NOT EXISTS runs.failed_question (
  "failure_id" VARCHAR NOT NULL,  -- Hash of run, question, reason and detail.
  "retrieval_run_id" VARCHAR NOT NULL,  -- Run.
  "question_id" VARCHAR NOT NULL,  -- Question; it has no ranking in this run until it is asked again and answered.
  "reason" VARCHAR NOT NULL,  -- `time-out`, `status 503`, `unreachable`, `not asked`, `malformed reply`, ...
  "detail" VARCHAR NOT NULL,  -- What was found.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("failure_id")
);

-- one row per run x question x stage that was measured
CREATE TABLE IF NOT EXISTS runs.timing (
  "retrieval_run_id" VARCHAR NOT NULL,  -- Run.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "stage" VARCHAR NOT NULL,  -- Stage, or `all` for the whole answer.
  "elapsed_s" DOUBLE NOT NULL,  -- Seconds; questions that are searched together share alike.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("retrieval_run_id", "question_id", "stage")
);

CREATE SCHEMA IF NOT EXISTS labels;

-- one row per question x unit x source that put it into the pool
CREATE TABLE IF NOT EXISTS labels.candidate (
  "question_id" VARCHAR NOT NULL,  -- Question.
  "unit_id" VARCHAR NOT NULL,  -- Unit to be labelled for it.
  "source" VARCHAR NOT NULL,  -- `gold`, `negative:AXIS`, `random`, or `variant:NAME`.
  "rank" BIGINT,  -- Best rank in that source; null for gold.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id", "unit_id", "source")
);

-- one row per judgment of a pair
CREATE TABLE IF NOT EXISTS labels.label (
  "label_id" VARCHAR NOT NULL,  -- Hash of the pair, grade, author and the label it replaces.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "unit_id" VARCHAR NOT NULL,  -- Unit.
  "relation" VARCHAR NOT NULL,  -- Relation under which it was judged.
  "grade" VARCHAR CHECK ("grade" IN ('sufficient', 'supporting', 'irrelevant')),  -- Grade; null for a retraction of the replaced label.
  "author_kind" VARCHAR NOT NULL CHECK ("author_kind" IN ('human', 'developer', 'generator-truth', 'ticket', 'import', 'judge')),  -- Who judged.
  "author" VARCHAR NOT NULL,  -- Name: person, ticket, file or judge.
  "judge_id" VARCHAR,  -- Judge version; null for others.
  "reason" VARCHAR NOT NULL,  -- Why, in the author's words; may be empty.
  "is_blind" BOOLEAN NOT NULL,  -- True when the author had not seen the model's answer.
  "replaces_label_id" VARCHAR,  -- Label of the same author that this one replaces; null for the first.
  "origin_label_id" VARCHAR,  -- Label from which this one was carried; null otherwise.
  "decided_at_utc" TIMESTAMPTZ NOT NULL,  -- When.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("label_id")
);

-- one row per set of jointly sufficient units x unit
CREATE TABLE IF NOT EXISTS labels.joint_set (
  "joint_set_id" VARCHAR NOT NULL,  -- Hash of question, units and author.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "unit_id" VARCHAR NOT NULL,  -- Unit in the set.
  "author_kind" VARCHAR NOT NULL CHECK ("author_kind" IN ('human', 'developer', 'generator-truth', 'ticket', 'import', 'judge')),  -- Who said so.
  "author" VARCHAR NOT NULL,  -- Name.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("joint_set_id", "unit_id")
);

-- one row per question x audit settings: whether it was drawn
CREATE TABLE IF NOT EXISTS labels.audit_question (
  "question_id" VARCHAR NOT NULL,  -- Question.
  "settings_id" VARCHAR NOT NULL,  -- Hash of share and seed.
  "inclusion_probability" DOUBLE NOT NULL,  -- Chance of this question to be drawn.
  "is_drawn" BOOLEAN NOT NULL,  -- True for questions in the audit.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id", "settings_id")
);

-- one row per question x pool x promotions
CREATE TABLE IF NOT EXISTS labels.effective_pool (
  "question_id" VARCHAR NOT NULL,  -- Question.
  "pool_id" VARCHAR NOT NULL,  -- Pool of its first gold unit.
  "promoted_id" VARCHAR NOT NULL,  -- Hash of the promoted unit ids.
  "promoted_unit_ids" VARCHAR NOT NULL,  -- Units taken out because they are sufficient, as a JSON list.
  "n_effective" BIGINT NOT NULL,  -- Hard negatives left.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("question_id", "pool_id", "promoted_id")
);

CREATE SCHEMA IF NOT EXISTS metrics;

-- one row per contract x corpus snapshot x label snapshot x question set x variants
CREATE TABLE IF NOT EXISTS metrics.evaluation (
  "evaluation_id" VARCHAR NOT NULL,  -- Hash of all that the figures rest on.
  "contract_id" VARCHAR NOT NULL,  -- Contract.
  "batch_id" VARCHAR NOT NULL,  -- Corpus snapshot.
  "label_snapshot_id" VARCHAR NOT NULL,  -- Hash of the labels in force.
  "question_set_id" VARCHAR NOT NULL,  -- Hash of the questions of the contract's slice.
  "template_version_id" VARCHAR,  -- Clustering behind the negatives; null without templates.
  "funnel" VARCHAR NOT NULL,  -- Counts from written to well posed, as canonical JSON.
  "stamps" VARCHAR NOT NULL,  -- What every figure must carry, such as a failed control check, as a JSON list.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("evaluation_id")
);

-- one row per contract x time that another evaluation came into force; the highest turn is in force
CREATE TABLE IF NOT EXISTS metrics.evaluation_turn (
  "contract_id" VARCHAR NOT NULL,  -- Contract.
  "turn" BIGINT NOT NULL,  -- 1 for the first, one more whenever what is in force changed, back to an earlier one too.
  "evaluation_id" VARCHAR NOT NULL,  -- Evaluation in force from then on.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("contract_id", "turn")
);

-- one row per evaluation x variant x arena x slice x measure
CREATE TABLE IF NOT EXISTS metrics.metric (
  "metric_id" VARCHAR NOT NULL,  -- Hash of measure, contract, variant, arena, slice, denominator and members.
  "evaluation_id" VARCHAR NOT NULL,  -- Evaluation.
  "variant_id" VARCHAR NOT NULL,  -- Variant.
  "retrieval_run_id" VARCHAR NOT NULL,  -- Run that was scored.
  "arena" VARCHAR NOT NULL,  -- Arena.
  "slice" VARCHAR NOT NULL,  -- Declared slice, `all` for the whole set.
  "slice_value" VARCHAR NOT NULL,  -- Value of the slice, `all` for the whole set.
  "measure" VARCHAR NOT NULL,  -- Measure.
  "estimate" DOUBLE,  -- Mean over questions with a value; null with a reason.
  "reason" VARCHAR NOT NULL,  -- `scored`, or why there is no estimate.
  "low" DOUBLE,  -- Lower end of the interval; null with an interval reason.
  "high" DOUBLE,  -- Upper end of the interval; null with an interval reason.
  "interval" VARCHAR NOT NULL,  -- Method (`wilson`, `bca`, `cluster-bootstrap`) or why there is none.
  "n_questions" BIGINT NOT NULL,  -- Questions in the slice.
  "n_scored" BIGINT NOT NULL,  -- Of these, with a value: the denominator.
  "n_candidates_min" BIGINT,  -- Units in the smallest arena of a scored question; null without one.
  "n_candidates_max" BIGINT,  -- Units in the largest one; null without one.
  "policy_counts" VARCHAR NOT NULL,  -- How many questions each policy touched, as canonical JSON.
  "denominator_id" VARCHAR NOT NULL,  -- Hash of question set, arena, corpus snapshot, label snapshot and contract.
  "chance" DOUBLE,  -- Value of a coin of the arena's sizes; null where it has no meaning.
  "member_list_id" VARCHAR NOT NULL,  -- Content-named list of the receipts behind it.
  "is_late" BOOLEAN NOT NULL,  -- True when the contract was registered after the run's first ranking.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("metric_id")
);

CREATE SCHEMA IF NOT EXISTS receipts;

-- one row per measure x question x what it rests on
CREATE TABLE IF NOT EXISTS receipts.receipt (
  "receipt_id" VARCHAR NOT NULL,  -- Hash of measure, policies, question, variant, arena members, ranked units read, labels.
  "measure" VARCHAR NOT NULL,  -- Name of the measure, which is its whole definition.
  "contract_id" VARCHAR NOT NULL,  -- Contract that declared it.
  "question_id" VARCHAR NOT NULL,  -- Question.
  "variant_id" VARCHAR NOT NULL,  -- Variant.
  "arena" VARCHAR NOT NULL,  -- `random`, `siblings` or `corpus`.
  "arena_id" VARCHAR NOT NULL,  -- Hash of the candidates of this question in this arena.
  "pool_id" VARCHAR,  -- Hard-negative pool behind the arena; null without one.
  "value" DOUBLE,  -- Value; null where there is a reason instead.
  "reason" VARCHAR NOT NULL,  -- `scored`, or why there is no value.
  "n_candidates" BIGINT,  -- Units in the arena; null for `corpus`, whose size is that of the night and stands with the figure.
  "n_read" BIGINT NOT NULL,  -- Ranked units read.
  "n_unjudged" BIGINT NOT NULL,  -- Of these, without a label.
  "stage_loss" VARCHAR,  -- Stage that lost the evidence; null where nothing was lost or it is not known.
  "is_censored" BOOLEAN NOT NULL,  -- True when gold was not returned and counts as below all.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("receipt_id")
);

-- one row per receipt x ranked unit read
CREATE TABLE IF NOT EXISTS receipts.receipt_unit (
  "receipt_id" VARCHAR NOT NULL,  -- Receipt.
  "rank" BIGINT NOT NULL,  -- 1-based rank within the arena.
  "unit_id" VARCHAR NOT NULL,  -- Unit.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("receipt_id", "rank")
);

-- one row per receipt x label that it rests on
CREATE TABLE IF NOT EXISTS receipts.receipt_label (
  "receipt_id" VARCHAR NOT NULL,  -- Receipt.
  "label_id" VARCHAR NOT NULL,  -- Label in force on a unit that was read, or that counts in R.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("receipt_id", "label_id")
);

-- one row per receipt x negative of its arena
CREATE TABLE IF NOT EXISTS receipts.receipt_negative (
  "receipt_id" VARCHAR NOT NULL,  -- Receipt.
  "negative_unit_id" VARCHAR NOT NULL,  -- Negative in the arena.
  "axis" VARCHAR NOT NULL,  -- Axis it differs on; `random` in the random arena.
  "rank" BIGINT NOT NULL,  -- Its rank in the pool.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("receipt_id", "negative_unit_id")
);

-- one row per list of receipts, named by its content
CREATE TABLE IF NOT EXISTS receipts.member_list (
  "list_id" VARCHAR NOT NULL,  -- Hash of the sorted receipt ids.
  "receipt_ids" VARCHAR NOT NULL,  -- Sorted receipt ids, as a JSON list.
  "n_receipts" BIGINT NOT NULL,  -- Length.
  "made_at_utc" TIMESTAMPTZ NOT NULL,
  "commit_id" VARCHAR NOT NULL,
  PRIMARY KEY ("list_id")
);

CREATE SCHEMA IF NOT EXISTS record;

-- one row per applied commit
CREATE TABLE IF NOT EXISTS record."commit" (
  "commit_id" VARCHAR NOT NULL,  -- Hash of asset, partition, code version and the rows it brought.
  "asset" VARCHAR NOT NULL,  -- What made it.
  "partition" VARCHAR,  -- Partition it was made for; null without one.
  "inputs" VARCHAR NOT NULL,  -- Ids of what the rows were made from, as a JSON list.
  "code_version" VARCHAR NOT NULL,  -- Version of the algorithm.
  "dagster_run_id" VARCHAR,  -- Run that made it; null outside Dagster.
  "made_at_utc" TIMESTAMPTZ NOT NULL,  -- When it was made.
  "n_rows" BIGINT NOT NULL,  -- Rows over all its tables.
  "n_conflicts" BIGINT NOT NULL,  -- Rows left out because the ledger already held another row under their key.
  "tables" VARCHAR NOT NULL,  -- Rows by table name, as canonical JSON object.
  PRIMARY KEY ("commit_id")
);

-- one row per table x key x commit, for keys that several commits brought
CREATE TABLE IF NOT EXISTS record.repeated_row (
  "table_name" VARCHAR NOT NULL,  -- Table.
  "row_key" VARCHAR NOT NULL,  -- Values of its key, as a JSON list.
  "commit_id" VARCHAR NOT NULL,  -- Commit that brought a row under this key.
  "equality_hash" VARCHAR NOT NULL,  -- Hash of the columns that take part in row equality.
  PRIMARY KEY ("table_name", "row_key", "commit_id")
);

-- one row per table of this file
CREATE TABLE IF NOT EXISTS record.schema_version (
  "table_name" VARCHAR NOT NULL,  -- Table; `schema.sql` stands for the file as a whole.
  "version" BIGINT NOT NULL,  -- Version of its schema; 0 for `schema.sql`.
  "shape" VARCHAR NOT NULL,  -- Hash of names and types of its columns; of the whole text for `schema.sql`.
  PRIMARY KEY ("table_name")
);

-- Views: what is in force, over columns and never over insertion (written by hand below this line)

-- The corpus snapshot of now. Grain: one row, or none before the first batch.
CREATE OR REPLACE VIEW corpus.batch_in_force AS
SELECT * FROM corpus.batch ORDER BY sequence DESC, batch_id DESC LIMIT 1;

-- Documents as they stand now, without those that are gone. Grain: one row per document.
CREATE OR REPLACE VIEW corpus.document_in_force AS
SELECT * EXCLUDE (place_in_line) FROM (
  SELECT *, row_number() OVER (PARTITION BY document_id ORDER BY sequence DESC, batch_id DESC) AS place_in_line
  FROM corpus.document
) WHERE place_in_line = 1 AND change <> 'removed';

-- Units of documents in force that have been described. Grain: one row per unit.
CREATE OR REPLACE VIEW corpus.unit_in_force AS
SELECT
  unit.unit_id,
  document.document_id,
  document.document_version_id,
  document.source_path,
  document.media_type,
  document.bucket,
  unit.locator,
  unit.page_number,
  unit.picture_hash,
  unit.picture_path,
  unit.text_hash,
  unit_facets.text_quality,
  unit_facets.facets,
  unit_facets.declared_id,
  unit_facets.access,
  unit_facets.access_groups
FROM corpus.document_in_force AS document
JOIN corpus.rendition_unit AS rendition_unit ON rendition_unit.rendition_id = document.rendition_id
JOIN corpus.unit AS unit ON unit.unit_id = rendition_unit.unit_id
JOIN corpus.unit_facets AS unit_facets
  ON unit_facets.document_version_id = document.document_version_id AND unit_facets.unit_id = unit.unit_id;

-- Rows of later commits that differ from the row that is shown under their key. Grain: one row per table x key x commit.
CREATE OR REPLACE VIEW record.conflict AS
SELECT table_name, row_key, commit_id, shown_commit_id FROM (
  SELECT
    repeated_row.*,
    first_value(repeated_row.commit_id) OVER in_order AS shown_commit_id,
    first_value(repeated_row.equality_hash) OVER in_order AS shown_hash
  FROM record.repeated_row AS repeated_row
  JOIN record."commit" AS made ON made.commit_id = repeated_row.commit_id
  WINDOW in_order AS (
    PARTITION BY repeated_row.table_name, repeated_row.row_key ORDER BY made.made_at_utc, made.commit_id
  )
) WHERE equality_hash <> shown_hash;
