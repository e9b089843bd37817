"""While something long happens - a model loads, a page is drawn, a judge is asked - nobody has the ledger open."""

from collections import Counter
from functools import wraps

import pytest

from eval_pipeline.corpus import arrivals, facets, pages
from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.open_clip_encoder import OpenClipEncoder
from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.judging.text_match import TextMatchJudge
from eval_pipeline.labels import auditing
from eval_pipeline.ledger.locking import hold_lock
from eval_pipeline.negatives import pools, sameness
from eval_pipeline.orchestration import evaluating, reading, resources
from eval_pipeline.orchestration.running import run_project
from eval_pipeline.questions import importing, posing, writing
from eval_pipeline.report import building
from eval_pipeline.runs import stage as runs_stage
from eval_pipeline.templates import stage as templates_stage

LONG = (
    (resources, "load_encoder"),
    (arrivals, "take_arrivals"),
    (pages, "read_documents"),
    (facets, "describe_units"),
    (LayoutEncoder, "encode_pictures"),
    (OpenClipEncoder, "encode_pictures"),
    (OpenClipEncoder, "encode_texts"),
    (reading, "load_vectors"),
    (templates_stage, "assign_templates"),
    (sameness, "read_sameness"),
    (pools, "draw_hard_negatives"),
    (writing, "write_candidates"),
    (importing, "import_questions"),
    (posing, "pose_questions"),
    (TextMatchJudge, "answers"),
    (TextMatchJudge, "label"),
    (runs_stage, "run_variant"),
    (auditing, "audit"),
    (evaluating, "build_receipts"),
    (building, "build_report"),
)


def _refuse_inside_a_session(monkeypatch, paths, called):
    def guard(place, name):
        work = getattr(place, name)

        @wraps(work)
        def guarded(*args, **kwargs):
            called[place, name] += 1
            try:
                with hold_lock(paths.lock, wait_s=0.001):
                    pass
            except LedgerBusy as error:
                message = f"{place.__name__}.{name} while the ledger is open"
                raise AssertionError(message) from error
            return work(*args, **kwargs)

        monkeypatch.setattr(place, name, guarded)

    for place, name in LONG:
        guard(place, name)


def _forget_the_encoder_after_each_session(monkeypatch):
    """A step starts in a process of its own, so any session may be the first that needs the encoder."""
    monkeypatch.setattr(resources, "load_encoder", _loaded_once(resources.load_encoder))
    opened = resources.session

    class Forgetting:
        def __init__(self, *args, **kwargs):
            self.inner = opened(*args, **kwargs)

        def __enter__(self):
            return self.inner.__enter__()

        def __exit__(self, *told):
            resources._encoder_of.cache_clear()
            return self.inner.__exit__(*told)

    monkeypatch.setattr(resources, "session", Forgetting)


def _loaded_once(load):
    """Load it once for the whole test; that it is asked for is what is looked at."""
    known = {}

    def loaded(*, config, home):
        key = config.model_dump_json()
        if key not in known:
            known[key] = load(config=config, home=home)
        return known[key]

    return loaded


def test_nothing_long_happens_while_the_ledger_is_open(tmp_path, monkeypatch):
    paths, called = ProjectPaths(home=tmp_path / "twelve"), Counter()
    make_twelve(home=paths.home)
    _forget_the_encoder_after_each_session(monkeypatch)
    _refuse_inside_a_session(monkeypatch, paths, called)
    run_project(paths, quiet=True)
    assert [f"{place.__name__}.{name}" for place, name in LONG if not called[place, name]] == []


def test_a_long_thing_inside_a_session_is_seen(tmp_path, monkeypatch):
    paths, called = ProjectPaths(home=tmp_path), Counter()
    _refuse_inside_a_session(monkeypatch, paths, called)
    with (
        hold_lock(paths.lock, wait_s=1),
        pytest.raises(AssertionError, match=r"writing.write_candidates while the ledger is open"),
    ):
        writing.write_candidates()
