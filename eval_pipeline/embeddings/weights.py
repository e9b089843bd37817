"""Write trained weights as a model directory keeps them: half precision, and a note of what they fit."""

import json
from collections.abc import Mapping
from pathlib import Path

from eval_pipeline.embeddings.building import BuiltModel
from eval_pipeline.embeddings.sources import WEIGHT_NAMES, ModelSource
from eval_pipeline.embeddings.threads import import_torch
from eval_pipeline.foundation.files import write_atomically


def save_weights(*, built: BuiltModel, source: ModelSource, folder: Path, notes: Mapping[str, str]) -> Path:
    """Write `open_clip_model.safetensors` into a model directory and return its path.

    Floats are stored in half precision and read back into float32; the same weights and notes give the same bytes.
    The activation goes into the metadata, so that weights are refused by a configuration with another one.

    Args:
        built: trained model.
        source: what it was built from.
        folder: the model directory.
        notes: facts of the training for the metadata; no times, so that the same training gives the same bytes.
    """
    from safetensors.torch import save

    torch = import_torch()
    state = {
        name: (value.half() if value.is_floating_point() else value).contiguous(memory_format=torch.contiguous_format)
        for name, value in built.model.state_dict().items()
    }
    metadata = {"format": "pt", "quick_gelu": str(source.quick_gelu).lower(), **notes}
    path = folder / WEIGHT_NAMES[0]
    write_atomically(path, _order_notes(save(state, metadata=metadata)))
    return path


def _order_notes(data: bytes) -> bytes:
    """Put the metadata of a safetensors file in order of its keys; the library writes it in another order each time.

    The file begins with the length of its header (8 bytes, little endian) and the header as JSON, padded with blanks.
    """
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    ordered = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode().ljust(length)
    assert len(ordered) == length
    return data[:8] + ordered + data[8 + length :]
