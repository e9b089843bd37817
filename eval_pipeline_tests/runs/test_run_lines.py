from pathlib import Path

import polars as pl
import pytest

from eval_pipeline.foundation.errors import TableError
from eval_pipeline.runs import run_lines
from eval_pipeline.runs.run_lines import LookedUp, look_up
from eval_pipeline.runs.unit_names import UnitNames

QUESTIONS = pl.DataFrame({"question_id": ["qu_1", "qu_2", "qu_3"], "declared_id": ["q1", "same", "same"]})
NAMES = UnitNames(unit_of={"pa": "u_a", "pb": "u_b"}, ambiguous=frozenset({"px"}), style="declared_id")


def take(folder: Path, text: str, on_error: str = "go_on") -> LookedUp:
    (folder / "x.run").write_text(text)
    return look_up(path="x.run", home=folder, questions=QUESTIONS, names=NAMES, on_error=on_error)  # type: ignore[arg-type]


def test_a_question_is_named_by_either_id_and_a_shared_one_names_none(tmp_path: Path) -> None:
    found = take(tmp_path, "q1 Q0 pa 1 2 t\nqu_2 Q0 pa 1 2 t\nsame Q0 pa 1 2 t\n")
    assert found.good.rows() == [("qu_1", "u_a", 2.0), ("qu_2", "u_a", 2.0)]
    assert found.refused.rows() == [(3, "unknown question", "same names no single question of this project")]


def test_every_kind_of_line_has_its_reason(tmp_path: Path) -> None:
    found = take(tmp_path, "q1 Q0 pa 1 2 t\nq1 Q0 px 1 2 t\nq1 Q0 pa 1 3 t\nq1 Q0 pb 1 nan t\n")
    assert found.refused.select("line", "reason").rows() == [
        (2, "unknown unit"),
        (3, "unit listed twice"),
        (4, "score is not a finite number"),
    ]
    assert "names several units" in found.refused["detail"][0]
    with pytest.raises(TableError, match="3 lines cannot be used: line 2"):
        take(tmp_path, (tmp_path / "x.run").read_text(), on_error="stop")


def test_many_refused_lines_are_counted_and_the_first_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_lines, "KEPT_PER_REASON", 2)
    lines = "".join(f"q1 Q0 p{n} 1 1 t\n" for n in range(5))
    refusals = take(tmp_path, lines + "q1 Q0 pa 1 2 t\nq9 Q0 pa 1 2 t\n").to_refusals("run_1")
    assert [(refusal.place, refusal.reason) for refusal in refusals] == [
        ("line 1", "unknown unit"),
        ("line 2", "unknown unit"),
        ("line 7", "unknown question"),
        ("further lines", "unknown unit"),
    ]
    assert refusals[-1].detail == "3 more lines of this kind"
    assert {refusal.found_under for refusal in refusals} == {"run_1"}
