import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.report.review.records import LONGEST_NAME, read_name


def test_blanks_are_one_and_letters_are_free():
    assert read_name("  Ann \t Özil ") == "Ann Özil"


@pytest.mark.parametrize("given", ["", "   ", "a\x00b", "x" * (LONGEST_NAME + 1)])
def test_what_is_no_name_is_refused(given):
    with pytest.raises(InputError, match="a name of 1 to 80"):
        read_name(given)
