"""Pictures and texts through an open_clip model, so that a vector never depends on its batch."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.building import BuiltModel, build_model
from eval_pipeline.embeddings.decoding import N_AHEAD, decode_ahead
from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.embeddings.sources import WEIGHT_NAMES, ModelSource
from eval_pipeline.embeddings.threads import import_torch, prepare_threads
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import canonical_json, content_id, hash_bytes, hash_file
from eval_pipeline.foundation.protocols import EncodedTexts, Vectors

CODE_VERSION = "1"


class OpenClipEncoder:
    """An open_clip model behind the encoder protocol: float32, evaluation mode, fixed padded batches.

    Attributes:
        encoder_id: hash of `describe()`.
        name: model and weights; carries `(untrained)` for seeded random weights.
        dim: length of the vectors.
        is_trained: False for seeded random weights.
        n_ahead: batches decoded while the model runs; 0 for one after the other, which only a measurement wants.
    """

    def __init__(self, *, source: ModelSource, seed: int, batch_size: int) -> None:
        self._built: BuiltModel = build_model(source, seed=seed)
        self._squash, self._to_tensor = _split_transform(self._built.transform)
        self._batch_size = batch_size
        self.n_ahead = N_AHEAD
        self._description = _describe(source, self._built, seed)
        self.encoder_id = content_id("enc", self._description)
        self.is_trained = source.weights is not None
        self.name = _name(source)
        self.dim = int(source.model_cfg["embed_dim"])

    @property
    def is_training(self) -> bool:
        """Whether the model was left in training mode; always False."""
        return bool(self._built.model.training)

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        """Configuration, weights hash or seed, activation, transform, vocabulary and precision.

        The batch size takes no part: batches are padded to it and rows do not see each other.
        """
        return self._description

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        """(n, dim) float32 of unit length; a row of NaN where the picture cannot be read or has no direction.

        Pictures are decoded in threads while the model runs; memory does not grow with their number.
        """
        raw = np.full((len(paths), self.dim), np.nan, dtype=np.float32)
        decoded = decode_ahead(
            paths, self._decode, batch_size=self._batch_size, n_threads=prepare_threads(), n_ahead=self.n_ahead
        )
        first = 0
        for batch in decoded:
            readable = [place for place, picture in enumerate(batch) if picture is not None]
            if readable:
                rows = self._forward("encode_image", [self._to_tensor(batch[place]) for place in readable])
                raw[[first + place for place in readable]] = rows
            first += len(batch)
        return normalise_rows(raw)

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        """Vectors of texts, and which of them were cut at the context length.

        Raises:
            InputError: a text is empty or blank; names its place.
        """
        for place, text in enumerate(texts):
            if not text.strip():
                message = f"text {place + 1} of {len(texts)} is empty or blank; a question needs words"
                raise InputError(message)
        raw = np.full((len(texts), self.dim), np.nan, dtype=np.float32)
        for first in range(0, len(texts), self._batch_size):
            batch = list(texts[first : first + self._batch_size])
            raw[first : first + len(batch)] = self._forward("encode_text", list(self._built.tokenizer(batch)))
        flags = np.array([self._is_too_long(text) for text in texts], dtype=np.bool_)
        return EncodedTexts(matrix=normalise_rows(raw), is_truncated=flags)

    def _decode(self, path: Path) -> Any:
        picture = open_rgb(path)
        return None if picture is None else self._squash(picture)

    def _forward(self, side: str, rows: list[Any]) -> npt.NDArray[np.float32]:
        torch = import_torch()
        padded = rows + [rows[-1]] * (self._batch_size - len(rows))
        with torch.inference_mode():
            out = getattr(self._built.model, side)(torch.stack(padded))
        vectors: npt.NDArray[np.float32] = out[: len(rows)].float().numpy()
        return vectors

    def _is_too_long(self, text: str) -> bool:
        tokenizer: Any = self._built.tokenizer
        if hasattr(tokenizer, "encode"):
            n_tokens = len(tokenizer.encode(text)) + 2  # start and end marks
        else:
            n_tokens = len(tokenizer.tokenizer(text)["input_ids"])
        return n_tokens > self._built.context_length


def _split_transform(transform: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """The part of open_clip's transform that Pillow does, and from the first tensor on.

    Decoding threads do the first part only: torch would bring each of them an OpenMP team of its own.
    """
    steps = list(transform.transforms)
    first_tensor = next(place for place, step in enumerate(steps) if "ToTensor" in type(step).__name__)
    return _chain(steps[:first_tensor]), _chain(steps[first_tensor:])


def _chain(steps: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def apply(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return apply


def _name(source: ModelSource) -> str:
    """A directory's own weights need no name of their own; other weights are named beside the model."""
    if source.weights is None:
        return f"{source.name} (untrained)"
    return source.name if source.weights.name in WEIGHT_NAMES else f"{source.name} {source.weights.stem}"


def _describe(source: ModelSource, built: BuiltModel, seed: int) -> dict[str, str | int | float | bool | None]:
    return {
        "family": "open_clip",
        "model": source.name,
        "model_cfg": canonical_json(dict(source.model_cfg)),
        "quick_gelu": source.quick_gelu,
        "weights_hash": hash_file(source.weights) if source.weights else None,
        "seed": None if source.weights else seed,
        "vocabulary_hash": hash_bytes(source.bpe_path.read_bytes()) if source.bpe_path else None,
        "preprocess_cfg": canonical_json(dict(built.preprocess_cfg)),
        "precision": "fp32",
        "code_version": CODE_VERSION,
    }
