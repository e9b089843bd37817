"""Which passages say the same in the same words: reprints, extracts, passages with a sentence more."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

CODE_VERSION = "1"
SHINGLE_WORDS = 4
SAME_SHARE = 0.6
"""Share of the shorter passage's word runs that the longer one repeats, from which the two say the same.

Two sentences on one topic that share their frame and differ in subject and figure stay below a half; a reprint that
changed one word in a dozen stays above. See the test with both.
"""

_WORD = re.compile(r"\w+(?:[.,]\d+)*")


class SharedText:
    """Runs of words of passages, to be compared in bulk.

    Attributes:
        n_shingles: (n,) distinct runs of four words; of all its words where a passage has fewer; 0 for an empty one.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        runs = [_shingles(text) for text in texts]
        numbers = {run: number for number, run in enumerate(sorted(set().union(*runs)))}
        columns = [numbers[run] for found in runs for run in sorted(found)]
        self.n_shingles = np.array([len(found) for found in runs], dtype=np.int64)
        ends = np.concatenate([[0], np.cumsum(self.n_shingles)])
        ones = np.ones(len(columns), dtype=np.int64)
        self._holds = sparse.csr_matrix((ones, columns, ends), shape=(len(runs), max(len(numbers), 1)))

    def says_same(self, block: slice) -> npt.NDArray[np.bool_]:
        """(rows, n) True where the two share most of the shorter one; the order of the two does not matter."""
        shared = (self._holds[block] @ self._holds.T).toarray()
        shorter = np.minimum(self.n_shingles[block, None], self.n_shingles[None, :])
        same: npt.NDArray[np.bool_] = (shorter > 0) & (shared >= SAME_SHARE * shorter)
        return same


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    n_words = min(SHINGLE_WORDS, len(words))
    if n_words == 0:
        return frozenset()
    return frozenset(tuple(words[start : start + n_words]) for start in range(len(words) - n_words + 1))
