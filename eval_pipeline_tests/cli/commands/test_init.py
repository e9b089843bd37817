import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.cli.commands.init import init_project
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.tasks.contracts import load_contracts


@pytest.fixture
def folder(tmp_path):
    """Two reports and a table with a period that cannot be parsed."""
    for name in ("acme_2022", "globex_2023"):
        data = io.BytesIO()
        canvas = Canvas(data, invariant=True)
        canvas.drawString(72, 700, "CONSOLIDATED BALANCE SHEETS")
        canvas.save()
        place = tmp_path / "reports" / f"{name}.pdf"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data.getvalue())
    (tmp_path / "list.csv").write_text("doc_id,company,period\nacme_2022,Acme,FY22\nglobex_2023,Globex,soon\n")
    return tmp_path


@pytest.fixture
def models(tmp_path_factory):
    """A folder of models with one file in the small encoder's."""
    place = tmp_path_factory.mktemp("models")
    (place / "page-clip").mkdir()
    (place / "page-clip" / "open_clip_model.safetensors").write_bytes(b"weights")
    return place


def test_a_folder_becomes_a_project_that_loads(folder, models, capsys):
    documents = {path: path.read_bytes() for path in folder.rglob("*.pdf")}
    init_project(folder, models=models)
    declared = load_project(folder / "eval.yaml")
    assert (declared.corpus.metadata, declared.corpus.id) == ("list.csv", "doc_id")
    assert declared.facets["entity"].column == "company"
    assert [contract.task for contract in load_contracts(folder, declared.contracts)] == ["first-look"]
    assert (folder / "models" / "page-clip" / "open_clip_model.safetensors").read_bytes() == b"weights"
    assert {path: path.read_bytes() for path in folder.rglob("*.pdf")} == documents
    told = " ".join(capsys.readouterr().out.split())
    assert "documents 2 (2 pdf), 2 pages" in told
    assert "period column period 50%, 1 of 2 documents 'soon'" in told
    assert "entity column company 100%, 2 of 2 documents -" in told
    assert "metric pattern on page text: titles of statements 100%, 2 of 2 pages read" in told
    assert "models/page-clip copied" in told


def test_a_declaration_that_is_there_is_left_alone(folder, models):
    (folder / "eval.yaml").write_text("mine")
    with pytest.raises(ConfigError, match="is there already"):
        init_project(folder, models=models)
    assert (folder / "eval.yaml").read_text() == "mine"
    assert not (folder / "contracts").exists()
    assert not (folder / "models").exists()


def test_a_contract_and_an_encoder_that_are_there_are_left_alone(folder, models, capsys):
    init_project(folder, models=models)
    (folder / "eval.yaml").unlink()
    mine = (folder / "contracts" / "first-look.yaml").read_text().replace("task: first-look", "task: mine")
    (folder / "contracts" / "first-look.yaml").write_text(mine)
    (folder / "models" / "page-clip" / "open_clip_model.safetensors").write_bytes(b"own")
    capsys.readouterr()
    init_project(folder, models=models)
    assert (folder / "contracts" / "first-look.yaml").read_text() == mine
    assert (folder / "models" / "page-clip" / "open_clip_model.safetensors").read_bytes() == b"own"
    assert "written eval.yaml; models/page-clip was there" in " ".join(capsys.readouterr().out.split())


def test_an_absent_encoder_and_absent_weights_are_told(folder, models, tmp_path_factory, capsys):
    init_project(folder, models=tmp_path_factory.mktemp("none"))
    assert "no encoder: models/page-clip does not ship here" in capsys.readouterr().out
    (folder / "eval.yaml").unlink()
    (models / "page-clip" / "open_clip_model.safetensors").unlink()
    init_project(folder, models=models)
    assert "it has no weights" in capsys.readouterr().out


def test_what_needs_a_look_is_told(folder, models, capsys):
    (folder / "list.csv").write_text("doc_id,who,access\nacme_2022,Acme,green\nglobex_2023,Acme,red\nlost,Acme,red\n")
    (folder / "q.csv").write_text("qid,question,doc,page\n1,What?,acme_2022,9\n")
    (folder / "empty.csv").write_text("")
    (folder / "locked.pdf").write_text("no PDF")
    init_project(folder, models=models)
    told = capsys.readouterr().out
    for what in (
        "locked.pdf is not taken",
        "unused    empty.csv",
        "column access may hold access levels",
        "check page_base",
        "1 metadata rows will be refused: no such document",
        "patterns stand under facets.<name>.pattern",
    ):
        assert what in told


def test_the_command_exits_2_where_the_input_is_wrong(call, tmp_path):
    called = call("init", str(tmp_path))
    assert (called.returncode, "no document" in called.stderr, "Traceback" in called.stderr) == (2, True, False)
