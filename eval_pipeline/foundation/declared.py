"""Declared files: frozen records from YAML; a wrong key is an error that names the nearest right one."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from eval_pipeline.foundation.errors import ConfigError


class Declared(BaseModel):
    """Base of everything that is declared: frozen, and a key that is not known is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


D = TypeVar("D", bound=Declared)


def load_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        ConfigError: the file is missing, is not UTF-8, is not YAML or is not a mapping; names file and line.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        message = f"{path.name} is not there: {path}"
        raise ConfigError(message, path=str(path)) from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        message = f"{path.name} is not readable as YAML in UTF-8: {error}"
        raise ConfigError(message, path=str(path)) from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        message = f"{path.name} should be a mapping of keys, but is a {type(content).__name__}"
        raise ConfigError(message, path=str(path))
    return content


def parse_declared(model: type[D], content: Mapping[str, Any], *, path: str) -> D:
    """Turn a mapping into a declared record.

    Raises:
        ConfigError: names file, key, what was found and what is allowed.
    """
    try:
        return model.model_validate(dict(content))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        message = f"{Path(path).name}: {key or 'the file'}: {_explain(model, first)}"
        raise ConfigError(message, path=path, key=key or None) from error


def _explain(model: type[BaseModel], error: Any) -> str:
    found = repr(error["input"])[:80]
    if error["type"] == "missing":
        return "this key is required; add it"
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if error["type"] != "extra_forbidden":
        return f"{error['msg']}; found {found}"
    *parents, name = (str(part) for part in error["loc"])
    known = _known_keys(model, parents)
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown key; {hint}allowed: {', '.join(sorted(known)) or 'no keys here'}"


def _known_keys(model: type[BaseModel], parents: list[str]) -> list[str]:
    current: type[BaseModel] | None = model
    for parent in parents:
        fields = current.model_fields if current else {}
        field = next((field for name, field in fields.items() if parent in (name, field.alias)), None)
        if field is None:
            continue  # a name chosen by the user (a facet, a variant) or a place in a list
        current = _model_in(field.annotation)
    if current is None:
        return []
    return [field.alias or name for name, field in current.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        if (found := _model_in(argument)) is not None:
            return found
    return None
