"""Where a model comes from: its configuration, its preprocessing, its weights, its vocabulary."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from eval_pipeline.embeddings.threads import import_open_clip
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.foundation.files import resolve_inside

LOCAL_PREFIX = "local-dir:"
CONFIG_FILE = "open_clip_config.json"
HUB_PREFIX = "hf-hub:"
WEIGHT_NAMES = (
    "open_clip_model.safetensors",
    "open_clip_pytorch_model.safetensors",
    "open_clip_pytorch_model.bin",
    "model.safetensors",
)
PREPROCESS_KEYS = ("mean", "std", "interpolation", "resize_mode", "fill_color")
PROJECT_FILE = "eval.yaml"
EXAMPLES = "ViT-B-32, RN50, ..."


@dataclass(frozen=True, kw_only=True)
class ModelSource:
    """All that is needed to build a model and to name it.

    Attributes:
        name: open_clip's name, or the name of the model directory.
        open_clip_name: what open_clip's factory is asked for.
        model_cfg: architecture, as open_clip reads it.
        preprocess_cfg: mean, std, interpolation, resize_mode of the picture transform.
        weights: file of the weights; None for seeded random weights.
        weights_quick_gelu: activation that the weights were trained with; None where nothing says.
        bpe_path: vocabulary of the directory itself; None for the stock one.
    """

    name: str
    open_clip_name: str
    model_cfg: Mapping[str, Any]
    preprocess_cfg: Mapping[str, Any]
    weights: Path | None
    weights_quick_gelu: bool | None
    bpe_path: Path | None

    @property
    def quick_gelu(self) -> bool:
        """Activation variant of the architecture."""
        return bool(self.model_cfg.get("quick_gelu", False))


def find_source(*, config: EncoderConfig, home: Path) -> ModelSource:
    """Resolve what `eval.yaml` declares under `encoder`.

    Args:
        config: model, pretrained tag, checkpoint.
        home: the project folder; paths are relative to it.

    Raises:
        ConfigError: the model is not known, a file is missing, weights do not fit the activation of the model, or a
            part of the model would have to be fetched that nobody asked for.
    """
    if config.model.startswith(HUB_PREFIX):
        message = f"{config.model!r}: a run fetches no repositories; put its files into a folder of the project folder"
        raise config_fault("encoder.model", f"{message} and name that: '{LOCAL_PREFIX}PATH'")
    is_directory = config.model.startswith(LOCAL_PREFIX)
    source = _from_directory(config, home) if is_directory else _from_open_clip(config, home)
    if source.weights_quick_gelu is not None and source.weights_quick_gelu != source.quick_gelu:
        trained, built = _spell(source.weights_quick_gelu), _spell(source.quick_gelu)
        message = f"the weights were trained with {trained}, but {source.name!r} is built with {built}"
        advice = f"use the model whose activation fits, for example {_fitting_name(source)!r}"
        raise config_fault("encoder.model", f"{message}; {advice}")
    _refuse_fetching(source, is_asked=bool(config.pretrained))
    return source


def _refuse_fetching(source: ModelSource, *, is_asked: bool) -> None:
    """Some models take the text tower or the tokenizer from a hub: only where a tag says that the hub is wanted."""
    text_cfg = source.model_cfg["text_cfg"]
    is_directory = source.open_clip_name.startswith(LOCAL_PREFIX)
    keys = ("hf_model_name",) if is_directory else ("hf_model_name", "hf_tokenizer_name")
    wanted = sorted({str(text_cfg[key]) for key in keys if text_cfg.get(key)})
    if wanted and not is_asked:
        message = f"the text side of {source.name!r} is made from {' and '.join(wanted)} of the Hugging Face hub, and"
        advice = f"name its tag under encoder.pretrained, or a model with a text side of its own ({EXAMPLES})"
        raise config_fault("encoder.model", f"{message} nothing is fetched that was not asked for; {advice}")


def config_fault(key: str, message: str) -> ConfigError:
    """A ConfigError that names the project file and the key."""
    return ConfigError(f"{PROJECT_FILE}: {key}: {message}", path=PROJECT_FILE, key=key)


def _spell(quick_gelu: bool) -> str:
    return "QuickGELU" if quick_gelu else "GELU"


def _fitting_name(source: ModelSource) -> str:
    return f"{source.name}-quickgelu" if source.weights_quick_gelu else source.name.removesuffix("-quickgelu")


def _from_directory(config: EncoderConfig, home: Path) -> ModelSource:
    declared = config.model.removeprefix(LOCAL_PREFIX)
    if config.pretrained:
        raise config_fault(
            "encoder.pretrained", f"a model directory brings its own weights; found {config.pretrained!r}"
        )
    folder = _inside(home, declared, "encoder.model")
    content = _read_config(folder / CONFIG_FILE, declared)
    text_cfg = content["model_cfg"]["text_cfg"]
    bpe_name = (text_cfg.get("tokenizer_kwargs") or {}).get("bpe_path")
    bpe_path = (
        _existing(folder, bpe_name, f"encoder.model: {declared}: tokenizer_kwargs.bpe_path") if bpe_name else None
    )
    found = [folder / name for name in WEIGHT_NAMES if (folder / name).is_file()]
    weights = _existing(home, config.checkpoint, "encoder.checkpoint") if config.checkpoint else next(iter(found), None)
    return ModelSource(
        name=folder.name,
        open_clip_name=f"{LOCAL_PREFIX}{folder}",
        model_cfg=content["model_cfg"],
        preprocess_cfg=_choose_preprocess(content.get("preprocess_cfg", {})),
        weights=weights,
        weights_quick_gelu=_activation_of(weights),
        bpe_path=bpe_path,
    )


def _read_config(file: Path, declared: str) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        message = f"{declared}/{CONFIG_FILE} is not there; copy a model directory to {declared} in the project folder"
        raise config_fault("encoder.model", message) from error
    except ValueError as error:
        raise config_fault("encoder.model", f"{declared}/{CONFIG_FILE} is not JSON in UTF-8: {error}") from error
    parts = content.get("model_cfg") if isinstance(content, dict) else None
    if not isinstance(parts, dict) or not {"embed_dim", "vision_cfg", "text_cfg"} <= set(parts):
        message = f"{declared}/{CONFIG_FILE} should hold model_cfg with embed_dim, vision_cfg and text_cfg"
        raise config_fault("encoder.model", message)
    return dict(content)


def _from_open_clip(config: EncoderConfig, home: Path) -> ModelSource:
    open_clip = import_open_clip()
    known = open_clip.list_models()
    if config.model not in known:
        message = (
            f"{config.model!r} is no open_clip model{_name_near(config.model, known)}; use one of its {len(known)} "
            f"names ({EXAMPLES}), 'local-dir:PATH' of a model directory, or 'module:Class'"
        )
        raise config_fault("encoder.model", message)
    if config.pretrained and config.checkpoint:
        raise config_fault("encoder.checkpoint", "give either pretrained (a tag) or checkpoint (a file), not both")
    tag = _tag_of(config)
    model_cfg = open_clip.get_model_config(config.model)
    weights = _existing(home, config.checkpoint, "encoder.checkpoint") if config.checkpoint else None
    source = ModelSource(
        name=config.model,
        open_clip_name=config.model,
        model_cfg=model_cfg,
        preprocess_cfg=_choose_preprocess(tag),
        weights=weights,
        weights_quick_gelu=bool(tag.get("quick_gelu", False)) if tag else _activation_of(weights),
        bpe_path=None,
    )
    if not tag or source.weights_quick_gelu != source.quick_gelu:
        return source  # nothing to fetch, or refused by the caller before anything is fetched
    return ModelSource(**{**vars(source), "weights": _fetch(config, tag)})


def _name_near(name: str, known: Iterable[str]) -> str:
    """`, did you mean 'ViT-B-32'?` where a known name is near, whatever its capitals; else nothing."""
    spelled = {one.lower(): one for one in known}
    near = get_close_matches(name.lower().replace("/", "-"), spelled, n=3, cutoff=0.6)
    return f", did you mean {' or '.join(repr(spelled[one]) for one in near)}?" if near else ""


def _tag_of(config: EncoderConfig) -> Mapping[str, Any]:
    if not config.pretrained:
        return {}
    open_clip = import_open_clip()
    tag: Mapping[str, Any] = open_clip.get_pretrained_cfg(config.model, config.pretrained)
    if not tag:
        tags = open_clip.list_pretrained_tags_by_model(config.model)
        message = (
            f"{config.model!r} has no weights {config.pretrained!r}{_name_near(config.pretrained, tags)}; "
            f"its tags: {', '.join(tags) or 'none'}; a file goes under checkpoint"
        )
        raise config_fault("encoder.pretrained", message)
    return tag


def _fetch(config: EncoderConfig, tag: Mapping[str, Any]) -> Path:
    try:
        return Path(import_open_clip().download_pretrained(tag))
    except Exception as error:  # whatever a hub client of any version raises: named here, never swallowed
        message = (
            f"the weights {config.pretrained!r} could not be fetched ({error}); put the file into the project folder"
        )
        raise config_fault("encoder.pretrained", f"{message} and name it under encoder.checkpoint") from error


def _choose_preprocess(declared: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what is declared, except that a page is never cropped: its header and footer tell it from its siblings."""
    chosen = {key: declared[key] for key in PREPROCESS_KEYS if declared.get(key) is not None}
    return {**chosen, "resize_mode": "longest" if chosen.get("resize_mode") == "longest" else "squash"}


def _activation_of(weights: Path | None) -> bool | None:
    """What a weights file says of its activation, by safetensors metadata or by its name; None where neither does."""
    if weights is None:
        return None
    metadata = _metadata_of(weights) if weights.suffix == ".safetensors" else {}
    if "quick_gelu" in metadata:
        return str(metadata["quick_gelu"]).lower() == "true"
    return True if "quickgelu" in weights.name.lower().replace("_", "").replace("-", "") else None


def _metadata_of(weights: Path) -> Mapping[str, str]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(weights, framework="numpy") as file:
            return dict(file.metadata() or {})
    except (SafetensorError, OSError) as error:
        message = f"{weights.name} is no readable safetensors file ({error}); copy it again, in full"
        raise config_fault("encoder", message) from error


def _inside(home: Path, relative: str, key: str) -> Path:
    try:
        return resolve_inside(home, relative)
    except InputError as error:
        raise config_fault(key, str(error)) from error


def _existing(folder: Path, relative: str, key: str) -> Path:
    file = _inside(folder, relative, key)
    if not file.is_file():
        raise config_fault(key, f"{relative} is not a file in {folder.name}/")
    return file
