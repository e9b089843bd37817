from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.splitting import group_buckets, split_by_bucket
from eval_pipeline.foundation.tables.corpus import DOCUMENT


def a_list(*buckets: str) -> pl.DataFrame:
    return pl.DataFrame(
        {"bucket": list(buckets), "document_id": [f"d{place}" for place in range(len(buckets))]},
        schema={"bucket": pl.String, "document_id": pl.String},
    )


def test_buckets_are_put_together_until_there_are_enough_documents() -> None:
    groups = group_buckets(a_list("02", "00", "00", "01", "03"), at_least=3)
    assert [group["bucket"].to_list() for group in groups] == [["00", "00", "01"], ["02", "03"]]
    assert groups[0]["document_id"].to_list() == ["d1", "d2", "d3"]


def test_no_documents_give_no_groups() -> None:
    assert group_buckets(a_list()) == []


@given(st.lists(st.sampled_from(["00", "01", "02", "03"]), max_size=30), st.integers(1, 8))
def test_groups_hold_every_document_once_and_never_part_a_bucket(buckets: list[str], at_least: int) -> None:
    groups = group_buckets(a_list(*buckets), at_least=at_least)
    assert sorted(name for group in groups for name in group["document_id"]) == sorted(
        f"d{n}" for n in range(len(buckets))
    )
    places = [(bucket, number) for number, group in enumerate(groups) for bucket in group["bucket"].unique()]
    assert len(places) == len({bucket for bucket, _ in places})
    assert all(group.height >= at_least for group in groups[:-1])


def test_a_part_is_what_reading_its_bucket_alone_gives(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one", "two")
    project.put_pdf("corpus/b.pdf", "one", "three")
    project.put("corpus/c.pdf", b"%PDF-1.4 cut")
    documents = project.arrive().tables["corpus.document"]
    documents = documents.with_columns(bucket=pl.Series(["07", "03", "03"], dtype=pl.String))
    parts = split_by_bucket(project.read(documents), documents=documents)
    assert [bucket for bucket, _ in parts] == ["03", "07"]
    for bucket, part in parts:
        alone = project.read(documents.filter(pl.col("bucket") == bucket))
        assert set(part.tables) == set(alone.tables)
        assert all(part.tables[name].equals(alone.tables[name]) for name in alone.tables)
        assert part.inputs == alone.inputs
        assert part.summary == alone.summary


def test_a_text_of_two_buckets_is_in_both_parts(project: Any) -> None:
    project.put_pdf("corpus/a.pdf", "one")
    project.put_pdf("corpus/b.pdf", "one")
    documents = project.arrive().tables["corpus.document"].sort("document_id")
    documents = documents.with_columns(bucket=pl.Series(["00", "01"], dtype=pl.String))
    parts = split_by_bucket(project.read(documents), documents=documents)
    assert [part.tables["corpus.layer_text"]["text"].to_list() for _, part in parts] == [["one"], ["one"]]
    assert [part.tables["corpus.unit"]["document_id"].to_list() for _, part in parts] == [
        ["corpus/a.pdf"],
        ["corpus/b.pdf"],
    ]


def test_nothing_read_gives_no_parts(project: Any) -> None:
    assert split_by_bucket(project.read(), documents=DOCUMENT.empty()) == []
