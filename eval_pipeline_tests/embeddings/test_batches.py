"""Batches are a fixed sequence, hold no page twice, and every other one is of two templates."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.embeddings.batches import Batch, draw_batches

TEMPLATES = ["bars/band"] * 30 + ["trend/rule"] * 20 + ["cover/deck"] * 10


def draw(seed: int, *, n_steps: int = 6, batch_size: int = 16) -> list[Batch]:
    counts = [1 + place % 3 for place in range(len(TEMPLATES))]
    return list(draw_batches(templates=TEMPLATES, n_captions=counts, n_steps=n_steps, batch_size=batch_size, seed=seed))


def test_every_other_batch_is_of_two_templates() -> None:
    kinds = [{TEMPLATES[page] for page in batch.pages} for batch in draw(1, n_steps=20)]
    assert all(len(kind) == 2 for kind in kinds[1::2])
    assert max(len(kind) for kind in kinds[::2]) == 3


@given(seed=st.integers(0, 999), batch_size=st.integers(1, 80))
def test_no_page_twice_and_every_caption_exists(seed: int, batch_size: int) -> None:
    for batch in draw(seed, batch_size=batch_size):
        assert len(set(batch.pages.tolist())) == len(batch.pages) <= batch_size
        assert ((batch.captions >= 0) & (batch.captions <= batch.pages % 3)).all()


def test_one_seed_one_sequence() -> None:
    for one, other in zip(draw(4), draw(4), strict=True):
        np.testing.assert_array_equal(one.pages, other.pages)
        np.testing.assert_array_equal(one.captions, other.captions)
    assert any((one.pages != other.pages).any() for one, other in zip(draw(4), draw(5), strict=True))


def test_a_single_template_is_its_own_second() -> None:
    batches = draw_batches(templates=["a"] * 4, n_captions=[1] * 4, n_steps=4, batch_size=9, seed=0)
    assert [sorted(batch.pages.tolist()) for batch in batches] == [[0, 1, 2, 3]] * 4


def test_templates_are_drawn_in_proportion_to_the_square_of_their_pages() -> None:
    templates = ["many"] * 30 + ["some"] * 10 + ["few"] * 10
    batches = draw_batches(templates=templates, n_captions=[1] * 50, n_steps=4_000, batch_size=50, seed=2)
    kinds = [{templates[page] for page in batch.pages} for batch in list(batches)[1::2]]
    share = sum("many" in kind for kind in kinds) / len(kinds)
    first = 900 / 1_100
    assert abs(share - (first + 2 * (100 / 1_100) * (900 / 1_000))) < 0.02
