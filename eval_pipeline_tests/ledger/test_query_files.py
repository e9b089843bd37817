import re

import polars as pl
import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.query_files import list_queries, load_query


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with session(ProjectPaths(home=tmp_path_factory.mktemp("queries"))) as opened:
        yield opened


TYPES = {"quota": pl.Int64}
"""Of columns of frames that are no text."""


def _comment_of(text):
    found = re.match(r"(--.*\n)+", text)
    assert found, "the first lines are a comment"
    return found.group()


@pytest.mark.parametrize("name", list_queries())
def test_query_opens_with_purpose_inputs_grain_and_only_reads(name):
    text = load_query(name)
    comment = _comment_of(text)
    assert "Grain:" in comment
    assert re.match(r"(SELECT|WITH|FROM)\b", text[len(comment) :].lstrip())
    assert not re.search(r"\b(INSERT|UPDATE|DELETE|CREATE|DROP|ATTACH|COPY)\b", re.sub(r"--.*", "", text))


@pytest.mark.parametrize("name", list_queries())
def test_query_fits_the_schema_and_asks_for_what_its_comment_says(name, opened):
    text = load_query(name)
    comment = _comment_of(text)
    statement = re.sub(r"--.*", "", text)
    frames = {
        frame: pl.DataFrame(schema={name: TYPES.get(name, pl.String) for name in re.split(r"\s*,\s*", columns)})
        for frame, columns in re.findall(r"(\w+)\((\w+(?:\s*,\s*\w+)*)\)", comment.replace("\n--", " "))
        if re.search(rf"\b{frame}\b", statement)
    }
    params = set(re.findall(r"\$(\w+)", statement))
    assert params <= set(re.findall(r"\$(\w+)", comment)), "every parameter stands in the first comment"
    assert opened.read(name, params=dict.fromkeys(params), frames=frames).width > 0


def test_unknown_query_names_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'corpus/batch_in_force'"):
        load_query("corpus/batch_in_forces")
    with pytest.raises(UnknownName, match="known: corpus/"):
        load_query("zzz")
