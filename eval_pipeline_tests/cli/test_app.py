import subprocess
import sys

import pytest

COMMANDS = (
    "init",
    "plan",
    "demo",
    "run",
    "metrics",
    "compare",
    "power",
    "validate",
    "trace",
    "report",
    "verify",
    "doctor",
    "up",
)


def test_help_lists_every_command(call):
    told = call("--help").stdout
    assert [name for name in COMMANDS if name not in told] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(call, command):
    called = call(command, "--help")
    assert called.returncode == 0
    assert "Example: eval-pipeline" in " ".join(called.stdout.split())


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from eval_pipeline.cli.app import app; "
        "print([n for n in ('torch','open_clip','faiss','dagster','duckdb','polars') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_folder_without_a_project_is_the_users_input(call, tmp_path):
    called = call("metrics", home=tmp_path)
    assert called.returncode == 2
    assert "no project folder" in called.stderr
    assert "Traceback" not in called.stderr


def test_a_wrong_key_names_the_nearest_one(call, tmp_path):
    (tmp_path / "eval.yaml").write_text("corpus: {documnts: x}\n")
    called = call("run", home=tmp_path)
    assert called.returncode == 2
    assert "did you mean 'documents'" in called.stderr


def test_stale_buckets_and_chosen_assets_are_two_things(call, tmp_path):
    called = call("run", "--stale", "--select", "pages", home=tmp_path)
    assert called.returncode == 2
    assert "leave --select out" in " ".join(called.stderr.split())
