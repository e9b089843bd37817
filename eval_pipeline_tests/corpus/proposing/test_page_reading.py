import io

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eval_pipeline.corpus.proposing.page_reading import count_pages, read_texts, sample_pages


def test_pages_are_counted_and_what_does_not_open_is_told(reports):
    data = io.BytesIO()
    Image.new("RGB", (20, 20)).save(data, format="PNG")
    reports.put("a.png", data.getvalue())
    reports.put("b.pdf", "no PDF at all")
    reports.put("c.pdf", b"%PDF-1.7 cut")
    paths = ["pdfs/ACME_2022_10K.pdf", "a.png", "b.pdf", "c.pdf", "gone.pdf"]
    counted = count_pages(home=reports.home, paths=paths, image_pixels=1000)
    assert counted.pages == {"pdfs/ACME_2022_10K.pdf": 2, "a.png": 1}
    assert counted.n_pages == 3
    assert sorted(counted.refused) == ["b.pdf", "c.pdf", "gone.pdf"]
    assert "first bytes" in counted.refused["b.pdf"]


def test_a_picture_above_the_limit_is_refused(reports):
    data = io.BytesIO()
    Image.new("RGB", (40, 40)).save(data, format="PNG")
    reports.put("a.png", data.getvalue())
    assert "40 x 40" in count_pages(home=reports.home, paths=["a.png"], image_pixels=1000).refused["a.png"]


def test_texts_of_wanted_pages_only(reports):
    reports.put("notes.txt", "x")
    texts = read_texts(
        home=reports.home, wanted={"pdfs/ACME_2022_10K.pdf": (1, 7), "notes.txt": (0,), "gone.pdf": (0,)}
    )
    assert texts == {("pdfs/ACME_2022_10K.pdf", 1): "CONSOLIDATED BALANCE SHEETS"}


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 30)), st.integers(1, 40))
def test_a_sample_is_spread_and_never_larger(pages, n):
    chosen = sample_pages(pages=pages, n=n)
    every = [(path, index) for path, indexes in chosen.items() for index in indexes]
    assert len(every) == len(set(every)) == min(n, sum(pages.values()))
    assert all(0 <= index < pages[path] for path, index in every)


def test_a_sample_takes_pages_from_the_middle():
    assert sample_pages(pages={"a": 10, "b": 10}, n=4) == {"a": (2, 7), "b": (2, 7)}
