import shutil

from PIL import Image


def test_the_report_is_where_it_says(road_home, call):
    called = call("report", home=road_home)
    assert called.returncode == 0
    assert called.stdout.strip().endswith("report.html")


def test_no_report_yet_says_what_to_run(road_home, tmp_path, call):
    for name in ("eval.yaml", "contracts"):
        source = road_home / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    called = call("report", home=tmp_path)
    assert called.returncode == 1
    assert "eval-pipeline run" in called.stderr


def test_the_argument_as_one_picture(road_home, tmp_path, call):
    called = call("report", "--picture", str(tmp_path / "lead.png"), "--variant", "text", home=road_home)
    assert called.returncode == 0, called.stderr
    with Image.open(tmp_path / "lead.png") as picture:
        assert picture.width == 1240
        assert len(picture.convert("RGB").getcolors(maxcolors=1 << 24) or []) > 50
