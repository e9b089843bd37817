"""Which passages say the same in the same words: reprints, extracts, passages with a sentence more."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

CODE_VERSION = "1"
SHINGLE_WORDS = 4
SAME_SHARE = 0.75
"""Share of the shorter passage's word runs that the longer one repeats, from which the two say the same.

One word changed in twenty leaves 76 %; a subject and a figure changed leave 65 %. See the tests with both.
"""

_WORD = re.compile(r"\w+(?:[.,]\d+)*")


class SharedText:
    """Runs of words and numbers of passages, to be compared in bulk.

    Attributes:
        n_shingles: (n,) distinct runs of four words; of all its words where a passage has fewer; 0 for an empty one.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_WORD.findall(text.casefold()) for text in texts]
        runs = [_shingles(found) for found in words]
        numbers = [frozenset((word,) for word in found if any(sign.isdigit() for sign in word)) for found in words]
        self.n_shingles = np.array([len(found) for found in runs], dtype=np.int64)
        self._n_numbers = np.array([len(found) for found in numbers], dtype=np.int64)
        self._runs, self._numbers = _to_matrix(runs), _to_matrix(numbers)

    def says_same(self, block: slice) -> npt.NDArray[np.bool_]:
        """(rows, n) True where the longer repeats most of the shorter one and each of its numbers.

        A figure that differs makes another statement, however alike the words. The order of the two does not matter.
        """
        own, others = self.n_shingles[block, None], self.n_shingles[None, :]
        shared = (self._runs[block] @ self._runs.T).toarray()
        numbers = (self._numbers[block] @ self._numbers.T).toarray()
        has_numbers = ((own <= others) & (numbers == self._n_numbers[block, None])) | (
            (others <= own) & (numbers == self._n_numbers[None, :])
        )
        shorter = np.minimum(own, others)
        same: npt.NDArray[np.bool_] = (shorter > 0) & (shared >= SAME_SHARE * shorter) & has_numbers
        return same


def _shingles(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    n_words = min(SHINGLE_WORDS, len(words))
    if n_words == 0:
        return frozenset()
    return frozenset(tuple(words[start : start + n_words]) for start in range(len(words) - n_words + 1))


def _to_matrix(held: Sequence[frozenset[tuple[str, ...]]]) -> sparse.csr_matrix:
    """(n, n_distinct) 1 where a passage holds a run."""
    columns = {run: column for column, run in enumerate(sorted(set().union(*held)))}
    places = [columns[run] for found in held for run in sorted(found)]
    ends = np.cumsum([0, *(len(found) for found in held)])
    return sparse.csr_matrix((np.ones(len(places), dtype=np.int64), places, ends), (len(held), max(len(columns), 1)))
