import pytest

from eval_pipeline.foundation.config import ProjectConfig, load_project
from eval_pipeline.foundation.declared import parse_declared
from eval_pipeline.foundation.errors import ConfigError


@pytest.fixture
def write(tmp_path):
    def call(content):
        path = tmp_path / "eval.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


def test_empty_file_is_a_project_of_defaults(write):
    config = load_project(write(""))
    assert config == ProjectConfig()
    assert config.axes == ("period", "metric", "entity")
    assert list(config.variants) == ["image", "text", "hybrid"]
    assert (config.negatives.k, config.negatives.min_negatives, config.negatives.strict) == (6, 4, False)
    assert config.corpus.metadata_files == ()


def test_declared_keys_are_read(write):
    config = load_project(
        write("""
corpus: {metadata: [a.csv, b.csv], page_base: 0, access: {levels: [open, closed], default: closed}}
facets: {period: {columns: [year, quarter], parse: period}, place: {pattern: {text: 'in (\\w+)'}}}
axes: [period, place]
questions: {import: [{path: q.csv}]}
""")
    )
    assert config.corpus.metadata_files == ("a.csv", "b.csv")
    assert config.facets["period"].columns == ("year", "quarter")
    assert config.questions.imports[0].path == "q.csv"
    assert config.corpus.access.default == "closed"


def test_one_metadata_table_is_a_tuple_of_one(write):
    assert load_project(write("corpus: {metadata: m.csv}")).corpus.metadata_files == ("m.csv",)


@pytest.mark.parametrize(
    ("content", "key", "words"),
    [
        ("corpsu: {}", "corpsu", "unknown key; did you mean 'corpus'? allowed: axes, contracts, corpus"),
        ("negatives: {kk: 3}", "negatives.kk", "did you mean 'k'?"),
        ("corpus: {access: {defualt: x}}", "corpus.access.defualt", "did you mean 'default'?"),
        ("facets: {period: {colunm: x}}\naxes: [period]", "facets.period.colunm", "did you mean 'column'?"),
        ("questions: {import: [{path: q.csv, anwser: a}]}", "questions.import.0.anwser", "did you mean 'answer'?"),
        ("questions: {improt: []}", "questions.improt", "did you mean 'import'?"),
        ("negatives: {k: 0}", "negatives.k", "greater than or equal to 1; found 0"),
        ("negatives: {backfill: some}", "negatives.backfill", "'none' or 'nearest'; found 'some'"),
        ("corpus: {page_base: 2}", "corpus.page_base", "found 2"),
        ("questions: {import: [{id: q}]}", "questions.import.0.path", "this key is required; add it"),
        ("corpus: {access: {default: secret}}", "corpus.access", "'secret' is none of the levels"),
    ],
)  # fmt: skip
def test_fault_names_file_key_and_what_is_allowed(write, content, key, words):
    path = write(content)
    with pytest.raises(ConfigError) as caught:
        load_project(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"eval.yaml: {key}: ")
    assert (caught.value.path, caught.value.key) == (str(path), key)


def test_axis_without_a_facet_is_named(write):
    with pytest.raises(
        ConfigError, match=r"axes \['metric', 'entity'\] have no entry under facets \(period\)"
    ) as caught:
        load_project(write("facets: {period: {}}"))
    assert caught.value.key is None


def test_axes_are_named_once_and_a_minimum_can_be_reached():
    with pytest.raises(ConfigError, match="axes names period twice; each axis once"):
        parse_declared(ProjectConfig, {"axes": ["period", "period"]}, path="eval.yaml")
    with pytest.raises(ConfigError, match="negatives: min_negatives 9 is more than k 3"):
        parse_declared(ProjectConfig, {"negatives": {"k": 3, "min_negatives": 9}}, path="eval.yaml")


def test_the_random_arena_can_be_as_large_as_the_sibling_arena() -> None:
    sizes = [
        parse_declared(ProjectConfig, {"negatives": given}, path="eval.yaml").negatives.random
        for given in ({}, {"k": 3}, {"k": 10}, {"k": 10, "random": 12})
    ]
    assert sizes == [6, 6, 10, 12]
    with pytest.raises(ConfigError, match="random 6 is less than k 10"):
        parse_declared(ProjectConfig, {"negatives": {"k": 10, "random": 6}}, path="eval.yaml")
