"""Names of training and held-out companies are in no demo."""

from eval_pipeline.demo.names import STEMS
from eval_pipeline.demo.training_names import HELD_OUT_STEMS, HELD_OUT_YEARS, TRAINING_STEMS, TRAINING_YEARS
from eval_pipeline.demo.world import FIRST_YEAR


def test_no_company_and_no_year_is_shared() -> None:
    groups = [STEMS, TRAINING_STEMS, HELD_OUT_STEMS]
    names = [stem for group in groups for stem in group]
    assert len(set(names)) == len(names)
    words = [{word for stem in group for word in stem.split()} for group in groups]
    assert not words[1] & words[2]
    assert max(TRAINING_YEARS) < min(HELD_OUT_YEARS) - 1  # comparative columns reach one year back
    assert max(HELD_OUT_YEARS) < FIRST_YEAR - 2  # and the demo's trends two
