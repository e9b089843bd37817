"""The corpus as retrievers and controls see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.protocols import Encoder, UnitVectors, Vectors


@dataclass(frozen=True, kw_only=True)
class RetrievalCorpus:
    """One corpus snapshot, ready to be searched.

    Attributes:
        units: rows of the view `corpus.unit_in_force`.
        texts: text of the page by unit id; a unit without an entry has no text.
        vectors: vectors of pictures; None where no variant searches pictures. Units may lack a vector.
        encoder: encoder of text queries; None where no variant searches pictures.
        home: project folder.
        template_of: template id by unit id, for control-template; a unit without an entry has no template. None where
            templates were not read.
        visible: units that the asker may see; None where everything may be seen.
        encoded: vectors of questions, and whether the encoder cut them: variants that search pictures encode each
            question once between them. A vector depends on its question alone, so who asked first changes nothing.
    """

    units: pl.DataFrame
    texts: Mapping[str, str]
    vectors: UnitVectors | None
    encoder: Encoder | None
    home: Path
    template_of: Mapping[str, str] | None = None
    visible: frozenset[str] | None = None
    encoded: dict[str, tuple[Vectors, bool]] = field(default_factory=dict, repr=False, compare=False)
