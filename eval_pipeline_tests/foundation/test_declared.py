import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.declared import Declared, load_yaml, parse_declared
from eval_pipeline.foundation.errors import ConfigError


@pytest.fixture
def write(tmp_path):
    def call(content):
        path = tmp_path / "eval.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


class Small(Declared):
    """A record with one key."""

    size: int = 1


def test_a_wrong_key_names_the_nearest_one_and_a_right_one_is_read():
    assert parse_declared(Small, {"size": 3}, path="small.yaml").size == 3
    with pytest.raises(ConfigError, match=r"small\.yaml: sise: unknown key; did you mean 'size'"):
        parse_declared(Small, {"sise": 3}, path="small.yaml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a: [", "not readable as YAML in UTF-8"),
        (b"a: \xff\xfe", "not readable as YAML in UTF-8"),
        ("- a\n- b", "should be a mapping of keys, but is a list"),
        ("words", "but is a str"),
        ("a: !!python/object/apply:os.getcwd []", "not readable as YAML"),
    ],
)
def test_file_that_is_no_mapping_is_named(write, content, words):
    with pytest.raises(ConfigError, match=words):
        load_yaml(write(content))


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"eval\.yaml is not there"):
        load_yaml(tmp_path / "eval.yaml")


def test_declared_records_are_frozen():
    config = parse_declared(ProjectConfig, {}, path="eval.yaml")
    with pytest.raises(ValueError, match="frozen"):
        config.axes = ()
