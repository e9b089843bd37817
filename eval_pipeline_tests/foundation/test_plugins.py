import collections

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.plugins import load_class, split_type


def test_class_is_loaded_by_name():
    assert load_class("collections:OrderedDict", path="eval.yaml", key="k") is collections.OrderedDict


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("collections", "should be 'module:Class'"),
        (":Class", "should be 'module:Class'"),
        ("module:", "should be 'module:Class'"),
        ("no_such_module:Class", "is its package installed"),
        ("collections:NoSuchClass", "cannot load"),
        ("collections:namedtuple", "is not a class"),
    ],
)
def test_fault_names_file_and_key(name, words):
    with pytest.raises(ConfigError, match=words) as caught:
        load_class(name, path="eval.yaml", key="judges.mine.type")
    assert (caught.value.path, caught.value.key) == ("eval.yaml", "judges.mine.type")
    assert "eval.yaml: judges.mine.type" in str(caught.value)


def test_type_is_split_from_the_settings_without_changing_them():
    declared = {"type": "vlm", "url": "x"}
    assert split_type(declared, path="p", key="k") == ("vlm", {"url": "x"})
    assert declared == {"type": "vlm", "url": "x"}


@pytest.mark.parametrize("declared", [{}, {"type": None}, {"type": 3}])
def test_missing_type_is_named(declared):
    with pytest.raises(ConfigError, match=r"eval\.yaml: judges\.j\.type is required"):
        split_type(declared, path="eval.yaml", key="judges.j")
