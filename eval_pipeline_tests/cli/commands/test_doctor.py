import shutil


def test_a_sound_project_has_nothing_wrong(road_home, tmp_path, call):
    home = tmp_path / "copy"
    shutil.copytree(road_home, home)
    called = call("doctor", home=home)
    assert (called.returncode, called.stdout.strip()) == (0, "nothing is wrong")


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
