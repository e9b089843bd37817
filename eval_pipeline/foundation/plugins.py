"""Load what a user named as `module:Class`."""

import importlib
from collections.abc import Mapping
from typing import Any

from eval_pipeline.foundation.errors import ConfigError


def load_class(name: str, *, path: str, key: str) -> type:
    """Import the class that `module:Class` names.

    Args:
        name: as declared.
        path: file that declared it, for the message.
        key: key that declared it, for the message.

    Raises:
        ConfigError: the form is wrong, the module cannot be imported or has no such class.
    """
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        message = f"{path}: {key}: {name!r} should be 'module:Class'"
        raise ConfigError(message, path=path, key=key)
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError) as error:
        message = f"{path}: {key}: cannot load {name!r}: {error}; is its package installed?"
        raise ConfigError(message, path=path, key=key) from error
    if not isinstance(found, type):
        message = f"{path}: {key}: {name!r} is not a class"
        raise ConfigError(message, path=path, key=key)
    return found


def split_type(declared: Mapping[str, Any], *, path: str, key: str) -> tuple[str, dict[str, Any]]:
    """Split a declared mapping into its `type` and its settings.

    Raises:
        ConfigError: there is no `type`.
    """
    settings = dict(declared)
    kind = settings.pop("type", None)
    if not isinstance(kind, str):
        message = f"{path}: {key}.type is required: a built-in name or 'module:Class'"
        raise ConfigError(message, path=path, key=f"{key}.type")
    return kind, settings
