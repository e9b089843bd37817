import json
import shutil

from eval_pipeline.cli.commands.doctor import read_checks
from eval_pipeline.ledger.doctor import Finding

NAMES = ["declaration", "commits", "ledger", "rows", "pictures", "vectors"]


def a_finding(kind):
    return Finding(kind=kind, place="there", message="it is not so", next_step="mend it", is_repairable=True)


def states_of(findings, *, has_run=True):
    return {one.name: one.state for one in read_checks(findings, has_run=has_run)}


def test_each_check_is_listed_with_what_it_came_to():
    assert set(states_of([]).values()) == {"ok"}
    assert states_of([a_finding("row lost")])["rows"] == "wrong"
    assert set(states_of([], has_run=False).values()) == {"not checked"}


def test_what_a_damaged_ledger_hides_is_not_called_sound():
    states = states_of([a_finding("ledger damaged")])
    assert states == {
        "commits": "ok",
        "ledger": "wrong",
        "rows": "not checked",
        "pictures": "not checked",
        "vectors": "not checked",
    }


def test_a_finding_of_a_new_kind_is_never_lost():
    assert states_of([a_finding("something new")])["further"] == "wrong"


def test_a_sound_project_has_nothing_wrong_and_says_what_was_checked(road_home, tmp_path, call):
    home = tmp_path / "copy"
    shutil.copytree(road_home, home)
    called = call("doctor", home=home)
    lines = called.stdout.strip().splitlines()
    assert (called.returncode, lines[-1]) == (0, "nothing is wrong")
    assert [line.split()[:2] for line in lines[:-1]] == [["ok", name] for name in NAMES]
    told = json.loads(call("doctor", "--json", home=home).stdout)
    assert [(one["name"], one["state"]) for one in told["checked"]] == [(name, "ok") for name in NAMES]


def test_a_lost_picture_is_named_with_how_to_mend_it_and_drawn_again(road_home, tmp_path, call):
    home = tmp_path / "copy"
    shutil.copytree(road_home, home)
    victim = next((home / "derived" / "pictures").rglob("*.webp"))
    before = victim.read_bytes()
    victim.unlink()
    called = call("doctor", home=home)
    assert called.returncode == 1
    assert f"{victim.relative_to(home)}: the ledger names this file, but it is not there" in called.stdout
    assert "'eval-pipeline doctor --repair' makes it again" in called.stdout
    mended = call("doctor", "--repair", home=home)
    assert (mended.returncode, mended.stdout.splitlines()[-1]) == (0, "nothing is wrong")
    assert victim.read_bytes() == before


def test_a_flipped_byte_in_a_commit_is_named_and_mended(road_home, tmp_path, call):
    home = tmp_path / "copy"
    shutil.copytree(road_home, home)
    victim = next((home / "derived" / "commits" / "applied").glob("*/*/labels.label.parquet"))
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 0xFF
    victim.write_bytes(bytes(data))
    called = call("doctor", home=home)
    assert called.returncode == 1
    assert victim.parent.name in called.stdout
    assert call("doctor", "--repair", home=home).returncode == 0
    assert call("verify", home=home).returncode == 0
