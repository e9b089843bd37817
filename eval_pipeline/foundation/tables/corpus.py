"""Tables of documents, units and what was refused."""

from eval_pipeline.foundation.frames import Table, flag, integer, real, text

BATCH = Table(
    name="corpus.batch",
    grain="one row per set of arrivals; the one with the highest sequence is the corpus snapshot",
    key=("batch_id",),
    columns=(
        text("batch_id", "Hash of the parent and of all document rows of the batch; names the corpus snapshot."),
        text("parent_batch_id", "Batch before this one; null for the first.", nullable=True),
        integer("sequence", "1 for the first batch, one more than the parent's after that."),
        integer("n_new", "Documents that were not there before."),
        integer("n_changed", "Documents whose bytes, metadata or settings changed."),
        integer("n_removed", "Documents that are gone."),
    ),
)

DOCUMENT = Table(
    name="corpus.document",
    grain="one row per document x batch in which it arrived, changed or went; the highest sequence is in force",
    key=("document_id", "batch_id"),
    columns=(
        text("document_id", "Declared id, else the relative POSIX path (NFC)."),
        text("batch_id", "Batch that brought this state."),
        integer("sequence", "Sequence of that batch."),
        text("change", "What happened.", allowed=("new", "changed", "removed")),
        text("document_version_id", "Hash of content, metadata and settings: what facets are keyed by."),
        text("rendition_id", "Hash of content and render settings: what pages are keyed by."),
        text("content_hash", "SHA-256 of the file."),
        text("source_path", "Path relative to the project folder, POSIX, NFC."),
        text("media_type", "As sniffed from the bytes, not from the name.", allowed=("pdf", "image")),
        integer("size_bytes", "Size of the file."),
        text("metadata", "Metadata rows of this document, raw, as canonical JSON: list of objects of text."),
        text("access", "Access level of the document."),
        text("access_groups", "Groups that may see it, as a JSON list; empty for no restriction by group."),
        text("bucket", "Partition of the document, from the hash of its id."),
    ),
)

RENDITION = Table(
    name="corpus.rendition",
    grain="one row per document content x render settings that was read",
    key=("rendition_id",),
    columns=(
        text("rendition_id", "Hash of document id, content and render settings."),
        text("document_id", "Document that was read."),
        integer("n_pages", "Pages that the file says it has; 0 when it could not be opened."),
        integer("n_units", "Units made."),
        integer("n_quarantined", "Pages, or the file, that were refused."),
    ),
)

RENDITION_UNIT = Table(
    name="corpus.rendition_unit",
    grain="one row per rendition x unit",
    key=("rendition_id", "unit_id"),
    columns=(
        text("rendition_id", "Rendition that holds the unit."),
        text("unit_id", "Unit in it."),
    ),
)

UNIT = Table(
    name="corpus.unit",
    grain="one row per answer unit, by content",
    key=("unit_id",),
    columns=(
        text("unit_id", "Hash of document id, locator, picture hash and text-layer hash."),
        text("document_id", "Document that holds it."),
        text("locator", "Place in the document: `page=3` (1-based)."),
        integer("page_number", "1-based page."),
        text("picture_hash", "SHA-256 of the RGB raster (size and pixels), not of the file that stores it."),
        text("text_hash", "SHA-256 of the cleaned text layer; that of the empty text where there is none."),
        text("picture_path", "Relative path of the stored picture."),
        integer("width_px", "Width of the stored picture."),
        integer("height_px", "Height of the stored picture."),
        real(
            "dpi", "Resolution at which it was drawn; below the declared one where a cap scaled it down.", nullable=True
        ),
        text("notes", "What a reader should know of how it was made, as a JSON list of words; usually empty."),
    ),
)

LAYER_TEXT = Table(
    name="corpus.layer_text",
    grain="one row per distinct text layer",
    key=("text_hash",),
    columns=(
        text("text_hash", "SHA-256 of the text."),
        text("text", "Cleaned text in reading order as the file gives it; may be empty."),
    ),
)

UNIT_FACETS = Table(
    name="corpus.unit_facets",
    grain="one row per document version x unit",
    key=("document_version_id", "unit_id"),
    columns=(
        text("document_version_id", "Version whose metadata and settings gave the facets."),
        text("unit_id", "Unit described."),
        text("facets", "Normalised facets as canonical JSON object; a facet that is missing or unparsed is absent."),
        text("facets_raw", "Values as given, before normalising, as canonical JSON object."),
        text("unparsed", "Facets that had a value which could not be parsed, as canonical JSON object."),
        text("declared_id", "The user's own id of the page (`page_id` column); null without one.", nullable=True),
        text("text_quality", "Whether the text layer can be read.", allowed=("good", "garbled", "missing")),
        text("access", "Access level of the unit."),
        text("access_groups", "Groups that may see it, as a JSON list."),
    ),
)

QUARANTINE = Table(
    name="corpus.quarantine",
    grain="one row per refused thing",
    key=("quarantine_id",),
    columns=(
        text("quarantine_id", "Hash of where and why."),
        text("source_path", "File, relative to the project folder."),
        text("place", "Row, page or key inside it; empty for the whole file."),
        text("reason", "Short reason, the same words for the same fault: `password required`, `too slow`, ..."),
        text("detail", "What was expected and what was found."),
        text("next_step", "What to do about it."),
        text("content_hash", "Hash of the file as it was then; null where it could not be read.", nullable=True),
        text("rendition_id", "Rendition that was refused; null for table rows.", nullable=True),
        text(
            "found_under",
            "Arrivals, look-up of a question file or document version that it was found under; null without one.",
            nullable=True,
        ),
        flag("is_warning", "True when the thing was taken all the same, and this says what to know about it."),
    ),
)

ALL = (BATCH, DOCUMENT, RENDITION, RENDITION_UNIT, UNIT, LAYER_TEXT, UNIT_FACETS, QUARANTINE)
