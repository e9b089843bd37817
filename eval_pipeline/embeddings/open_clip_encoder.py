"""Pictures and texts through an open_clip model, so that a vector never depends on its batch."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.building import BuiltModel, build_model
from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.embeddings.sources import WEIGHT_NAMES, ModelSource
from eval_pipeline.embeddings.threads import import_torch
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
    """

    def __init__(self, *, source: ModelSource, seed: int, batch_size: int) -> None:
        self._built: BuiltModel = build_model(source, seed=seed)
        self._batch_size = batch_size
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

        Pictures are decoded one batch ahead of the forward pass; memory does not grow with their number.
        """
        raw = np.full((len(paths), self.dim), np.nan, dtype=np.float32)
        for first, tensors in self._decoded_batches(paths):
            readable = [place for place, tensor in enumerate(tensors) if tensor is not None]
            if readable:
                rows = self._forward("encode_image", [tensors[place] for place in readable])
                raw[[first + place for place in readable]] = rows
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

    def _decoded_batches(self, paths: Sequence[Path]) -> Iterator[tuple[int, list[Any]]]:
        starts = range(0, len(paths), self._batch_size)
        with ThreadPoolExecutor(max_workers=1) as decoder:
            ahead = None
            for first in starts:
                current = ahead or decoder.submit(self._decode, paths[first : first + self._batch_size])
                after = paths[first + self._batch_size : first + 2 * self._batch_size]
                ahead = decoder.submit(self._decode, after) if after else None
                yield first, current.result()

    def _decode(self, paths: Sequence[Path]) -> list[Any]:
        pictures = (open_rgb(path) for path in paths)
        return [None if picture is None else self._built.transform(picture) for picture in pictures]

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
