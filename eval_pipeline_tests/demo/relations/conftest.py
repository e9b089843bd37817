"""Every set is checked alike: the same seed gives the same bytes, and the truth stays outside the corpus."""

from collections.abc import Callable
from pathlib import Path

import pytest

from eval_pipeline.demo.relations.placing import DrawnSet

DrawSet = Callable[..., DrawnSet]


@pytest.fixture
def drawn_twice(tmp_path: Path) -> Callable[[DrawSet], DrawnSet]:
    """Draw a set three times, compare, and hand back the first."""

    def draw(draw_set: DrawSet) -> DrawnSet:
        sets = [draw_set(home=tmp_path / name, seed=seed) for name, seed in (("a", 7), ("b", 7), ("c", 8))]
        bytes_of = [{name: (one.home / name).read_bytes() for name in (*one.files, one.truth)} for one in sets]
        assert bytes_of[0] == bytes_of[1]
        assert bytes_of[0] != bytes_of[2]
        assert sets[0].truth.startswith("truth/")
        assert not any(name.startswith("truth/") for name in sets[0].files)
        on_disk = {path.relative_to(tmp_path / "a").as_posix() for path in (tmp_path / "a").rglob("*.*")}
        assert on_disk == {*sets[0].files, sets[0].truth}
        return sets[0]

    return draw
