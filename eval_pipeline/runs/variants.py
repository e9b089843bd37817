"""Variants: declared ways to retrieve, each identified by the hash of everything that could change its rankings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.embeddings import approximate
from eval_pipeline.foundation import ids
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.declared import parse_declared
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.plugins import load_class, split_type
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.declared import BUILT_IN, CALLING, HttpSettings, HybridSettings, IndexSettings, PolicySettings

CODE_VERSION = "1"
CONTROL_PREFIX = "control-"
APPEARANCE = "control-appearance"
CONTROL_KINDS = ("control-random", "control-template", "control-facets", APPEARANCE)
CONFIG_FILE = "eval.yaml"
RUN_FILE = "run-file"
DEFAULT_TOP = 50
"""Units that a reranker scores where nothing is declared."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One declared way to retrieve.

    Attributes:
        variant_id: hash of name, kind, configuration (code version and parts included) and encoder.
        name: name in eval.yaml, or `control-...`.
        kind: `image`, `text`, `hybrid`, `module:Class`, or a kind of control.
        configuration: every setting, defaults filled in; `parts` holds the configuration of each part of a hybrid.
            What stands under `calling` changes no ranking: it is neither part of the id nor stored.
        is_control: True for controls, whose scores may tie and whose measures are expectations over ties.
        encoder_id: encoder that it uses; None without one.
    """

    variant_id: str
    name: str
    kind: str
    configuration: Mapping[str, Any]
    is_control: bool
    encoder_id: str | None

    def to_table_row(self) -> pl.DataFrame:
        """One row of `runs.variant`."""
        return tables.VARIANT.frame(
            [
                {
                    "variant_id": self.variant_id,
                    "name": self.name,
                    "kind": self.kind,
                    "configuration": ids.canonical_json(_ranking_settings(self.configuration)),
                    "is_control": self.is_control,
                    "encoder_id": self.encoder_id,
                }
            ]
        )


def declare_variants(*, config: ProjectConfig, encoder_id: str, home: Path | None = None) -> list[Variant]:
    """Variants of eval.yaml in declared order, then the controls.

    Args:
        config: the declaration.
        encoder_id: encoder of the project, for the variants that search pictures.
        home: project folder, in which run files are looked up: a variant is another one when its file is. Without it
            the files are not looked at.

    Raises:
        ConfigError: an unknown type or setting, a hybrid of an unknown variant or of itself, a name that is kept
            for controls, or a run file that is not there; names the key and what is allowed.
    """
    named = []
    for name in config.variants:
        if name.startswith(CONTROL_PREFIX):
            message = f"{CONFIG_FILE}: variants.{name}: names that begin with {CONTROL_PREFIX!r} are kept for controls"
            raise ConfigError(message, path=CONFIG_FILE, key=f"variants.{name}")
        configuration = _configure(name, config.variants, above=())
        if configuration["type"] == RUN_FILE and home is not None:
            configuration["content_hashes"] = _hash_files(name, configuration, home)
        named.append(_identify(name, configuration, encoder_id if _searches_pictures(configuration) else None))
    controls = []
    for kind in CONTROL_KINDS:
        configuration = {"type": kind, "code_version": CODE_VERSION, "axes": list(config.axes)}
        controls.append(_identify(kind, configuration, encoder_id if kind == APPEARANCE else None))
    return [*named, *controls]


def _identify(name: str, configuration: Mapping[str, Any], encoder_id: str | None) -> Variant:
    kind = str(configuration["type"])
    content = {"name": name, "configuration": _ranking_settings(configuration), "encoder_id": encoder_id}
    return Variant(
        variant_id=ids.content_id("var", content),
        name=name,
        kind=kind,
        configuration=configuration,
        is_control=kind in CONTROL_KINDS,
        encoder_id=encoder_id,
    )


def _configure(name: str, declared: Mapping[str, Mapping[str, Any]], above: tuple[str, ...]) -> dict[str, Any]:
    key = f"variants.{name}"
    if name in above:
        message = f"{CONFIG_FILE}: {key}: a hybrid cannot hold itself ({' -> '.join([*above, name])})"
        raise ConfigError(message, path=CONFIG_FILE, key=key)
    kind, given = split_type(declared[name], path=CONFIG_FILE, key=key)
    if ":" in kind:
        return _configure_class(kind, given, key)
    if kind not in BUILT_IN:
        allowed = ", ".join(BUILT_IN)
        message = f"{CONFIG_FILE}: {key}.type: {kind!r} is not a retriever; allowed: {allowed} or 'module:Class'"
        raise ConfigError(message, path=CONFIG_FILE, key=f"{key}.type")
    if kind == RUN_FILE and above:
        message = (
            f"{CONFIG_FILE}: {key}: a run file answers by question id and cannot be a part of a hybrid ({above[-1]})"
        )
        raise ConfigError(message, path=CONFIG_FILE, key=f"variants.{above[-1]}.of")
    settings = _parse(BUILT_IN[kind], given, key)
    configuration: dict[str, Any] = {"type": kind, "code_version": CODE_VERSION, **_dump(settings)}
    if isinstance(settings, HybridSettings):
        configuration["parts"] = {part: _configure_part(part, declared, (*above, name)) for part in settings.of}
    if isinstance(settings, HttpSettings):
        configuration["calling"] = {setting: configuration.pop(setting) for setting in CALLING}
    if "index" in configuration:
        configuration["index_code_version"] = approximate.CODE_VERSION
    if settings.rerank is not None:
        configuration["rerank"] = _configure_reranker(settings, kind, key)
    return configuration


def _dump(settings: PolicySettings) -> dict[str, Any]:
    """Settings as plain values; what came later and is not used is left out, so that ids stay what they were."""
    dumped = settings.model_dump(mode="json")
    unused = [
        name for name, value in (("rerank", None), ("index", IndexSettings())) if getattr(settings, name, 0) == value
    ]
    return {name: value for name, value in dumped.items() if name not in unused}


def _configure_reranker(settings: PolicySettings, variant_kind: str, key: str) -> dict[str, Any]:
    inner = f"{key}.rerank"
    if variant_kind == RUN_FILE:
        message = f"{CONFIG_FILE}: {inner}: a run file holds what was ranked; declare the reranker's output as its path"
        raise ConfigError(message, path=CONFIG_FILE, key=inner)
    kind, given = split_type(settings.rerank or {}, path=CONFIG_FILE, key=inner)
    loaded = load_class(kind, path=CONFIG_FILE, key=f"{inner}.type")
    top = given.pop("top", DEFAULT_TOP)
    if not isinstance(top, int) or isinstance(top, bool) or top < 1:
        message = f"{CONFIG_FILE}: {inner}.top: should be a whole number from 1; found {top!r}"
        raise ConfigError(message, path=CONFIG_FILE, key=f"{inner}.top")
    version = str(getattr(loaded, "CODE_VERSION", "undeclared"))
    return {"type": kind, "code_version": version, "top": top, "settings": given}


def _hash_files(name: str, configuration: Mapping[str, Any], home: Path) -> dict[str, str]:
    """Content hash of every file of a run-file variant, by its path."""
    hashes = {}
    for path in (configuration["path"], *configuration["stages"].values(), configuration["scores"]):
        if path is None:
            continue
        try:
            hashes[path] = ids.hash_file(resolve_inside(home, path))
        except OSError as error:
            key = f"variants.{name}"
            message = f"{CONFIG_FILE}: {key}: the run file {path} cannot be read: {error.strerror}; put it there"
            raise ConfigError(message, path=CONFIG_FILE, key=key) from error
    return hashes


def _ranking_settings(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration without what changes no ranking, its parts too."""
    kept = {name: value for name, value in configuration.items() if name != "calling"}
    if "parts" in kept:
        kept["parts"] = {part: _ranking_settings(inner) for part, inner in kept["parts"].items()}
    return kept


def _configure_part(part: str, declared: Mapping[str, Mapping[str, Any]], above: tuple[str, ...]) -> dict[str, Any]:
    if part not in declared:
        key = f"variants.{above[-1]}.of"
        message = f"{CONFIG_FILE}: {key}: there is no variant {part!r}; declared: {', '.join(declared)}"
        raise ConfigError(message, path=CONFIG_FILE, key=key)
    return _configure(part, declared, above)


def _configure_class(kind: str, given: Mapping[str, Any], key: str) -> dict[str, Any]:
    loaded = load_class(kind, path=CONFIG_FILE, key=f"{key}.type")
    policy = {name: given[name] for name in PolicySettings.model_fields if name in given}
    own = {name: value for name, value in given.items() if name not in policy}
    settings = _parse(PolicySettings, policy, key)
    configuration = {
        "type": kind,
        "code_version": str(getattr(loaded, "CODE_VERSION", "undeclared")),
        **_dump(settings),
        "settings": own,
    }
    if settings.rerank is not None:
        configuration["rerank"] = _configure_reranker(settings, kind, key)
    return configuration


def _parse(model: type[PolicySettings], given: Mapping[str, Any], key: str) -> PolicySettings:
    try:
        return parse_declared(model, given, path=CONFIG_FILE)
    except ConfigError as error:
        place = f"{key}.{error.key}" if error.key else key
        message = f"{CONFIG_FILE}: {place}:{str(error).split(':', maxsplit=2)[-1]}"
        raise ConfigError(message, path=CONFIG_FILE, key=place) from error


def _searches_pictures(configuration: Mapping[str, Any]) -> bool:
    parts = configuration.get("parts", {})
    return configuration["type"] == "image" or any(_searches_pictures(part) for part in parts.values())
