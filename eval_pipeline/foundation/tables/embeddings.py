"""Tables of encoders and of where vectors lie."""

from eval_pipeline.foundation.frames import Table, flag, integer, text

ENCODER = Table(
    name="embeddings.encoder",
    grain="one row per encoder: weights, preprocessing and precision",
    key=("encoder_id",),
    columns=(
        text("encoder_id", "Hash of configuration, weights, preprocessing and precision."),
        text("name", "Name to show; carries `(untrained)` where the weights were never trained."),
        text("kind", "What it is.", allowed=("open_clip", "layout")),
        integer("dim", "Length of its vectors."),
        flag("is_trained", "False for seeded random weights."),
        text("description", "Configuration, weights hash, transform and precision as canonical JSON."),
    ),
)

VECTOR_FILE = Table(
    name="embeddings.vector_file",
    grain="one row per .npy file",
    key=("vector_file_id",),
    columns=(
        text("vector_file_id", "Hash of the encoder and the picture hashes, in row order."),
        text("encoder_id", "Encoder that made it."),
        text("path", "Relative path; float32, C order, (n_rows, dim), rows of unit length."),
        integer("n_rows", "Rows."),
        integer("dim", "Columns."),
    ),
)

UNIT_VECTOR = Table(
    name="embeddings.unit_vector",
    grain="one row per picture x encoder x file; the smallest file id is read",
    key=("picture_hash", "encoder_id", "vector_file_id"),
    columns=(
        text("picture_hash", "Picture that was embedded."),
        text("encoder_id", "Encoder."),
        text("vector_file_id", "File."),
        integer("row", "0-based row in it."),
    ),
)

REFUSED_VECTOR = Table(
    name="embeddings.refused_vector",
    grain="one row per picture x encoder that has no usable vector",
    key=("picture_hash", "encoder_id"),
    columns=(
        text("picture_hash", "Picture."),
        text("encoder_id", "Encoder."),
        text("reason", "Why: unreadable picture, not finite, zero length."),
    ),
)

ALL = (ENCODER, VECTOR_FILE, UNIT_VECTOR, REFUSED_VECTOR)
