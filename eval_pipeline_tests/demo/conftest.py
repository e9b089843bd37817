"""The demo corpus, drawn once for all tests of this room."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from eval_pipeline.demo.corpus import DEMO_SEED, DemoCorpus, draw_demo
from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.truth import read_truth
from eval_pipeline.demo.world import World

ReadTexts = Callable[[DemoCorpus], dict[tuple[str, int], str]]


@pytest.fixture(scope="session")
def repository() -> Path:
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def world() -> World:
    return World(seed=DEMO_SEED)


@pytest.fixture(scope="session")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> DemoCorpus:
    return draw_demo(home=tmp_path_factory.mktemp("sixty"), n_pages=60)


@pytest.fixture(scope="session")
def truths(sixty: DemoCorpus) -> dict[tuple[str, int], PageTruth]:
    return read_truth(sixty.truth)


@pytest.fixture(scope="session")
def read_texts() -> ReadTexts:
    """Text of every page of a drawn corpus, by document path and page."""

    def read(corpus: DemoCorpus) -> dict[tuple[str, int], str]:
        found = {}
        for path in corpus.documents:
            document = pdfium.PdfDocument(corpus.home / path)
            for number in range(len(document)):
                page = document[number].get_textpage().get_text_range()
                found[path, number + 1] = page.replace("\r\n", "\n")
            document.close()
        return found

    return read


@pytest.fixture(scope="session")
def texts(sixty: DemoCorpus, read_texts: ReadTexts) -> dict[tuple[str, int], str]:
    return read_texts(sixty)
