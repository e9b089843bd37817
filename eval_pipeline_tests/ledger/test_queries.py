"""What the queries and views say, on a small corpus that can be checked by eye."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.foundation.tables.views import MEMBER, UNIT_IN_FORCE
from eval_pipeline.ledger.connection import session


def a_document(document_id, sequence, *, change="new", version=None, rendition=None, bucket="00"):
    return {
        "document_id": document_id, "batch_id": f"batch_{sequence}", "sequence": sequence, "change": change,
        "document_version_id": version or f"{document_id}-v{sequence}",
        "rendition_id": rendition or f"{document_id}-r{sequence}", "content_hash": "h",
        "source_path": f"corpus/{document_id}.pdf", "media_type": "pdf", "size_bytes": 1, "metadata": "[]",
        "access": "public", "access_groups": "[]", "bucket": bucket,
    }  # fmt: skip


def a_unit(unit_id, document_id, *, picture=None, path=None):
    return {
        "unit_id": unit_id, "document_id": document_id, "locator": "page=1", "page_number": 1,
        "picture_hash": picture or f"p-{unit_id}", "text_hash": "t",
        "picture_path": path or f"derived/pictures/{unit_id}.webp",
        "width_px": 1, "height_px": 1, "dpi": 100.0, "notes": "[]",
    }  # fmt: skip


def facets_of(version, unit_id):
    return {
        "document_version_id": version, "unit_id": unit_id, "facets": "{}", "facets_raw": "{}", "unparsed": "{}",
        "text_quality": "good", "access": "public", "access_groups": "[]",
    }  # fmt: skip


def in_rendition(rendition, *unit_ids):
    return [{"rendition_id": rendition, "unit_id": unit_id} for unit_id in unit_ids]


@pytest.fixture
def record(paths):
    """Records rows by table and answers a query; each call is a session of its own."""

    def call(rows=None, query=None, **params):
        with session(paths) as opened:
            output = StageOutput(tables={name: TABLES[name].frame(given) for name, given in (rows or {}).items()})
            opened.record(
                output=output, asset="a", partition=None, code_version="1", dagster_run_id=None,
                made_at=datetime(2026, 1, 1, tzinfo=UTC),
            )  # fmt: skip
            return opened.read(query, params=params) if query else None

    return call


CORPUS = {
    "corpus.batch": [
        {"batch_id": f"batch_{number}", "sequence": number, "n_new": 1, "n_changed": 0, "n_removed": 0}
        for number in (1, 2)
    ],
    "corpus.document": [
        a_document("kept", 1),
        a_document("gone", 1),
        a_document("gone", 2, change="removed", version="gone-v1", rendition="gone-r1"),
        a_document("changed", 1),
        a_document("changed", 2, change="changed"),
        a_document("new", 2, bucket="01"),
    ],
    "corpus.rendition": [
        {"rendition_id": name, "document_id": name, "n_pages": 1, "n_units": 1, "n_quarantined": 0}
        for name in ("kept-r1", "gone-r1", "changed-r1", "changed-r2")
    ],
    "corpus.rendition_unit": [
        *in_rendition("kept-r1", "k1", "k2"),
        *in_rendition("gone-r1", "g1"),
        *in_rendition("changed-r1", "c1", "c2"),
        *in_rendition("changed-r2", "c1"),
    ],
    "corpus.unit": [
        a_unit("k1", "kept"), a_unit("k2", "kept", picture="p-k1", path="derived/pictures/0.webp"),
        a_unit("g1", "gone"), a_unit("c1", "changed"), a_unit("c2", "changed"),
    ],
    "corpus.unit_facets": [
        facets_of("kept-v1", "k1"), facets_of("kept-v1", "k2"), facets_of("gone-v1", "g1"),
        facets_of("changed-v1", "c1"), facets_of("changed-v1", "c2"), facets_of("changed-v2", "c1"),
    ],
}  # fmt: skip


def test_batch_in_force_has_the_highest_sequence(record):
    assert record(CORPUS, "corpus/batch_in_force")["batch_id"].to_list() == ["batch_2"]


def test_documents_in_force_are_the_last_state_without_removed_ones(record):
    rows = record(CORPUS, "corpus/documents_in_force")
    assert rows.select("document_id", "sequence").rows() == [("changed", 2), ("kept", 1), ("new", 2)]
    assert dict(rows.schema) == TABLES["corpus.document"].schema


def test_removed_document_comes_back_with_a_later_batch(record):
    back = {"corpus.document": [*CORPUS["corpus.document"], a_document("gone", 3)]}
    assert "gone" in record(back, "corpus/documents_in_force")["document_id"].to_list()


def test_documents_to_read_have_no_rendition_and_lie_in_the_buckets(record):
    assert record(CORPUS, "corpus/documents_to_read", buckets=["00", "01"])["document_id"].to_list() == ["new"]
    assert record(None, "corpus/documents_to_read", buckets=["00"]).height == 0


def test_units_to_describe_lack_facets_of_the_version_in_force(record):
    without = CORPUS | {"corpus.unit_facets": [row for row in CORPUS["corpus.unit_facets"] if row["unit_id"] != "k2"]}
    rows = record(without, "corpus/units_to_describe", buckets=["00"])
    assert rows["unit_id"].to_list() == ["k2"]
    assert rows.columns == [*TABLES["corpus.unit"].schema, "rendition_id", "document_version_id"]


def test_units_in_force_follow_documents_in_force(record):
    rows = record(CORPUS, "corpus/units_in_force")
    assert rows["unit_id"].to_list() == ["c1", "k1", "k2"]
    assert dict(rows.schema) == UNIT_IN_FORCE.schema
    assert rows["document_version_id"].to_list() == ["changed-v2", "kept-v1", "kept-v1"]


def test_unit_shared_by_two_documents_is_not_doubled_within_one(record):
    frame = record(CORPUS, "corpus/units_in_force")
    assert not frame["unit_id"].is_duplicated().any()


def test_store_03_partition_made_again_with_one_page_fewer(record):
    """STO-03: the dropped page is gone, no row is doubled, and the old state was there in full until then."""
    for _ in range(2):
        first = record({"corpus.document": [a_document("changed", 1)]} | {
            name: CORPUS[name] for name in ("corpus.rendition_unit", "corpus.unit", "corpus.unit_facets")
        }, "corpus/units_in_force")  # fmt: skip
        assert first["unit_id"].to_list() == ["c1", "c2"]
    fewer = record({"corpus.document": [a_document("changed", 2, change="changed")]}, "corpus/units_in_force")
    assert fewer["unit_id"].to_list() == ["c1"]


VECTORS = {
    "embeddings.vector_file": [
        {"vector_file_id": name, "encoder_id": "e", "path": f"derived/vectors/{name}.npy", "n_rows": 2, "dim": 3}
        for name in ("f1", "f2")
    ],
    "embeddings.unit_vector": [
        {"picture_hash": "p-k1", "encoder_id": "e", "vector_file_id": "f2", "row": 1},
        {"picture_hash": "p-k1", "encoder_id": "e", "vector_file_id": "f1", "row": 0},
    ],
    "embeddings.refused_vector": [{"picture_hash": "p-c1", "encoder_id": "other", "reason": "zero length"}],
}


def test_pictures_to_embed_are_distinct_and_per_encoder(record):
    none_yet = record(CORPUS, "embeddings/pictures_to_embed", encoder_id="e", buckets=["00"])
    assert none_yet.rows() == [
        ("p-c1", "derived/pictures/c1.webp", "00"),
        ("p-k1", "derived/pictures/0.webp", "00"),
    ]
    left = record(VECTORS, "embeddings/pictures_to_embed", encoder_id="e", buckets=["00"])
    assert left["picture_hash"].to_list() == ["p-c1"]
    other = record(None, "embeddings/pictures_to_embed", encoder_id="other", buckets=["00"])
    assert other["picture_hash"].to_list() == ["p-k1"]
    assert record(None, "embeddings/pictures_to_embed", encoder_id="e", buckets=["15"]).height == 0


def test_vector_rows_read_the_smallest_file(record):
    rows = record(CORPUS | VECTORS, "embeddings/vector_rows", encoder_id="e")
    assert rows.rows() == [
        ("k1", "p-k1", "derived/vectors/f1.npy", 0),
        ("k2", "p-k1", "derived/vectors/f1.npy", 0),
    ]
    assert rows.schema["row"] == pl.Int64


def an_assignment(unit_id, number, template_id, state="assigned"):
    return {
        "template_version_id": "tv", "unit_id": unit_id, "round": number, "template_id": template_id,
        "state": state, "distance": None,
    }  # fmt: skip


TEMPLATES = {
    "templates.template_version": [
        {"template_version_id": f"tv{number}", "sequence": number, "settings_id": settings, "settings": "{}",
         "reason": "r"}
        for number, settings in ((1, "s"), (2, "s"), (3, "other"))
    ],
    "templates.template": [
        {"template_version_id": "tv", "template_id": name, "bucket": bucket, "announced_sequence": 1, "n_founders": 2,
         "exemplar_unit_id": "k1", "centroid": "[]", "threshold": 0.5}
        for name, bucket in (("t1", "03"), ("t2", "04"))
    ],
    "templates.template_assignment": [
        an_assignment("k1", 1, None, "buffered"), an_assignment("k1", 2, "t2"),
        an_assignment("k2", 1, "t1"), an_assignment("g1", 1, "t1"), an_assignment("c1", 1, None, "buffered"),
    ],
}  # fmt: skip


def test_template_version_in_force_is_the_highest_of_its_settings(record):
    assert record(TEMPLATES, "templates/version_in_force", settings_id="s")["template_version_id"].to_list() == ["tv2"]
    assert record(None, "templates/version_in_force", settings_id="none").height == 0


def test_templates_and_assignments_of_a_version(record):
    templates = record(TEMPLATES, "templates/templates", template_version_id="tv")
    assert templates["template_id"].to_list() == ["t1", "t2"]
    rows = record(None, "templates/assignments", template_version_id="tv")
    assert rows.select("unit_id", "round", "template_id").rows() == [
        ("c1", 1, None), ("g1", 1, "t1"), ("k1", 2, "t2"), ("k2", 1, "t1"),
    ]  # fmt: skip
    assert dict(rows.schema) == TABLES["templates.template_assignment"].schema


def test_members_are_units_in_force_with_a_template(record):
    rows = record(CORPUS | TEMPLATES, "templates/members", template_version_id="tv")
    assert rows.select("unit_id", "template_id", "template_bucket").rows() == [("k1", "t2", "04"), ("k2", "t1", "03")]
    assert dict(rows.schema) == MEMBER.schema


def test_refused_pictures_are_those_of_one_encoder(record):
    rows = [
        {"picture_hash": picture, "encoder_id": encoder, "reason": "unreadable picture"}
        for picture, encoder in (("b", "e"), ("a", "e"), ("c", "other"))
    ]
    found = record({"embeddings.refused_vector": rows}, "embeddings/refused_pictures", encoder_id="e")
    assert found["picture_hash"].to_list() == ["a", "b"]


def test_outcomes_of_other_rules_judges_and_policies_are_left_out(record):
    usual = {
        "question_id": "q", "pool_id": "p", "judge_id": "j", "policy": "drop", "posing_version": "2",
        "outcome": "well_posed", "slice": "main", "reason": "well posed", "failing_axes": "[]",
        "promoted_unit_ids": "[]", "n_judged": 1, "n_abstained": 0, "gold_abstained": False,
    }  # fmt: skip
    changes = [{}, {"posing_version": "1"}, {"judge_id": "k"}, {"policy": "promote"}]
    rows = [{**usual, **change, "n_judged": place} for place, change in enumerate(changes)]
    under = {"judge_id": "j", "policy": "drop", "posing_version": "2"}
    found = record({"questions.well_posedness": rows}, "questions/posed", **under)
    assert found["n_judged"].to_list() == [0]


def _sampled(template, settings, n_questions):
    state = {"template_id": template, "members_hash": f"m-{template}", "settings_id": settings}
    names = [f"q-{template}-{number}" for number in range(n_questions)]
    return (
        {**state, "n_pages": 1, "n_questions": n_questions},
        [{**state, "question_id": name, "inclusion_probability": 1.0} for name in names],
        [
            {
                "question_id": name, "text": name, "origin": "written", "writer": "w", "named_axes": "[]",
                "query_form": "question text", "relation": "evidence",
            }
            for name in names
        ],
    )  # fmt: skip


def test_samples_of_another_quota_count_where_no_quota_cuts_them(paths):
    """Written when ten questions a template were allowed; now it is four."""
    made = [_sampled("short", "at10", 3), _sampled("cut-now", "at10", 5), _sampled("cut-then", "at2", 2)]
    made += [_sampled("equal", "at10", 4), _sampled("present", "at4", 4), _sampled("elsewhere", "other", 1)]
    output = StageOutput(
        tables={
            "questions.sampled_template": TABLES["questions.sampled_template"].frame(row for row, _, _ in made),
            "questions.candidate_question": TABLES["questions.candidate_question"].frame(
                row for _, rows, _ in made for row in rows
            ),
            "questions.question": TABLES["questions.question"].frame(row for _, _, rows in made for row in rows),
        }
    )
    under = pl.DataFrame({"settings_id": ["at10", "at4", "at2"], "quota": [10, 4, 2]})
    state = pl.DataFrame([(name, f"m-{name}") for name in ("short", "equal", "present", "cut-now")], orient="row",
                         schema=["template_id", "members_hash"])  # fmt: skip
    with session(paths) as opened:
        opened.record(
            output=output, asset="a", partition=None, code_version="1", dagster_run_id=None,
            made_at=datetime(2026, 1, 1, tzinfo=UTC),
        )  # fmt: skip
        done = opened.read("questions/sampled_templates", params={"quota": 4}, frames={"sampled_under": under})
        found = opened.read(
            "questions/candidates_in_force", params={"quota": 4}, frames={"sampled_under": under, "state": state}
        )
    assert done["template_id"].to_list() == ["equal", "present", "short"]
    assert sorted(set(found["template_id"])) == ["equal", "present", "short"]
    assert found.height == found["question_id"].n_unique() == 11


def test_waiting_pages_are_in_force_and_the_strangest_comes_first(record):
    rows = [
        {"template_version_id": "tv", "unit_id": unit, "round": number, "template_id": None if state == "buffered" else
         "t1", "state": state, "distance": distance}
        for unit, number, state, distance in [
            ("k1", 1, "buffered", 0.4), ("k2", 1, "buffered", 0.6), ("c1", 1, "buffered", 0.5),
            ("g1", 1, "buffered", 0.9), ("c1", 2, "new", 0.1),
        ]
    ]  # fmt: skip
    found = record(CORPUS | {"templates.template_assignment": rows}, "templates/buffered", template_version_id="tv")
    assert found.select("unit_id", "distance").rows() == [("k2", 0.6), ("k1", 0.4)]


def test_fates_are_those_of_one_version(record):
    usual = {
        "parent_version_id": "tv0", "bucket": "00", "kind": "kept", "related_template_id": "t1", "n_before": 2,
        "n_after": 2, "n_shared": 2, "parent_template_ids": '["t1"]', "child_template_ids": '["t1"]',
        "is_touched": False,
    }  # fmt: skip
    rows = [
        {**usual, "template_version_id": version, "template_id": name}
        for version in ("tv", "tw")
        for name in ("t2", "t1")
    ]
    found = record({"templates.template_succession": rows}, "templates/succession", template_version_id="tv")
    assert found["template_id"].to_list() == ["t1", "t2"]
    assert dict(found.schema) == TABLES["templates.template_succession"].schema
