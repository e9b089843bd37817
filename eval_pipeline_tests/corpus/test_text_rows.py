import pytest

from eval_pipeline.corpus.text_rows import check_header, fault_of_values
from eval_pipeline.foundation.errors import TableError


def test_check_header_names_the_repeated_column() -> None:
    check_header("m.csv", ["", "a", "", "b"])
    with pytest.raises(TableError, match="column 'a' stands twice"):
        check_header("m.csv", ["a", "b", "a"])
    with pytest.raises(TableError, match="no column has a name"):
        check_header("m.csv", ["", ""])


def test_fault_of_values_names_what_cannot_be_stored() -> None:
    assert fault_of_values(["a", "b\0"]) == "a value holds a NUL character"
    assert fault_of_values(("a", "")) == ""
