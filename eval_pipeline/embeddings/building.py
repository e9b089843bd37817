"""Build an open_clip model, its transform and its tokenizer from a source; refuse weights that do not fit."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from eval_pipeline.embeddings.sources import LOCAL_PREFIX, ModelSource, config_fault
from eval_pipeline.embeddings.threads import import_open_clip, import_torch

BUILD_ERRORS = (ImportError, RuntimeError, ValueError, TypeError, KeyError, OSError, AttributeError, AssertionError)
"""What open_clip and the libraries under it raise for a model that cannot be built here."""


@dataclass(frozen=True, kw_only=True)
class BuiltModel:
    """A model ready for inference: evaluation mode, float32.

    Attributes:
        model: open_clip's module.
        transform: RGB picture to a (3, height, width) float32 tensor.
        tokenizer: texts to (n, context) token ids.
        context_length: tokens that the text side reads.
        preprocess_cfg: size, mean, std, interpolation and resize mode of the transform, complete.
    """

    model: Any
    transform: Callable[[Any], Any]
    tokenizer: Callable[[Sequence[str]], Any]
    context_length: int
    preprocess_cfg: Mapping[str, Any]


def build_model(source: ModelSource, *, seed: int, is_to_learn: bool = False) -> BuiltModel:
    """Build and load.

    Args:
        source: where the model comes from.
        seed: of the weights where the source has none; torch's own random state is left as it was.
        is_to_learn: leave random weights as open_clip starts training from them.

    Raises:
        ConfigError: open_clip cannot build the model, or weights or vocabulary do not fit the configuration.
    """
    torch, open_clip = import_torch(), import_open_clip()
    with quiet_logging(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _create_model(source)
        if source.weights is None and not is_to_learn:
            _keep_signal(model)
        elif source.weights is not None:
            _load_weights(model, source)
    model.eval()
    transform = open_clip.transform.image_transform_v2(_preprocess_of(model), is_train=False)
    tokenizer = _build_tokenizer(source)
    return BuiltModel(
        model=model,
        transform=transform,
        tokenizer=tokenizer,
        context_length=int(source.model_cfg["text_cfg"].get("context_length", 77)),
        preprocess_cfg=dict(model.visual.preprocess_cfg),
    )


def _create_model(source: ModelSource) -> Any:
    """open_clip's module with random weights; what is missing or wrong is told by whatever builds it, in any way."""
    try:
        return import_open_clip().create_model(
            source.open_clip_name,
            load_weights=False,
            precision="fp32",
            device="cpu",
            pretrained_image=False,
            pretrained_text=False,
            force_preprocess_cfg=dict(source.preprocess_cfg),
        )
    except BUILD_ERRORS as error:
        message = f"open_clip cannot build {source.name!r} as it is configured: {_first_words(error)}"
        raise config_fault("encoder.model", message) from error


@contextmanager
def quiet_logging() -> Iterator[None]:
    """Keep open_clip from speaking through the root logger, and from installing a handler there."""
    root, handler, before = logging.getLogger(), logging.NullHandler(), logging.root.manager.disable
    root.addHandler(handler)
    logging.disable(max(before, logging.WARNING))
    try:
        yield
    finally:
        logging.disable(before)
        root.removeHandler(handler)


def _preprocess_of(model: Any) -> Any:
    return import_open_clip().transform.PreprocessCfg(**model.visual.preprocess_cfg)


def _load_weights(model: Any, source: ModelSource) -> None:
    assert source.weights is not None
    open_clip, file = import_open_clip(), source.weights
    try:
        weights = open_clip.factory.load_state_dict(str(file))
    except Exception as error:  # whatever a reader of any format raises: named here, never swallowed
        message = f"{file.name} cannot be read as weights ({type(error).__name__}); expected are .safetensors, or a .pt"
        advice = "file that holds tensors only: no TorchScript archive, no pickled objects, all of its bytes"
        raise config_fault("encoder", f"{message} {advice}") from error
    try:
        _refuse_other_sizes(model, weights)
        open_clip.load_checkpoint(model, str(file), strict=True, weights_only=True)
    except (RuntimeError, KeyError, ValueError, TypeError, AttributeError) as error:
        message = f"{file.name} does not fit the configuration of {source.name!r}: {_first_words(error)}"
        raise config_fault("encoder", message) from error


def _first_words(error: Exception) -> str:
    return " ".join(str(error).split())[:400] or type(error).__name__


def _keep_signal(model: Any) -> None:
    """Start convolutions so that pictures still differ at the end of an untrained tower.

    open_clip starts residual branches at zero, which is right for training, but makes all untrained vectors equal to
    within 1e-6, where a neighbour would be decided by rounding.
    """
    nn = import_torch().nn
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        elif isinstance(module, nn.BatchNorm2d) and name.endswith("bn3"):
            nn.init.ones_(module.weight)


def _refuse_other_sizes(model: Any, weights: Any) -> None:
    """open_clip stretches positional embeddings of another size without a word; here that is a misfit."""
    for name, value in model.state_dict().items():
        given = weights.get(name)
        if given is not None and name.endswith("positional_embedding") and given.shape != value.shape:
            message = f"{name} has shape {tuple(given.shape)}, the configuration asks for {tuple(value.shape)}"
            raise ValueError(message)


def _build_tokenizer(source: ModelSource) -> Any:
    """open_clip's `get_tokenizer` on a directory takes the stock vocabulary; a directory's own is passed by path."""
    open_clip = import_open_clip()
    text_cfg = source.model_cfg["text_cfg"]
    if not source.open_clip_name.startswith(LOCAL_PREFIX) or text_cfg.get("hf_tokenizer_name"):
        try:
            return open_clip.get_tokenizer(source.open_clip_name)
        except BUILD_ERRORS as error:
            message = f"open_clip cannot build the tokenizer of {source.name!r}: {_first_words(error)}"
            raise config_fault("encoder.model", message) from error
    settings = {key: value for key, value in (text_cfg.get("tokenizer_kwargs") or {}).items() if key != "bpe_path"}
    if source.bpe_path is not None:
        settings["bpe_path"] = str(source.bpe_path)
    tokenizer = open_clip.SimpleTokenizer(context_length=int(text_cfg.get("context_length", 77)), **settings)
    if tokenizer.vocab_size != int(text_cfg.get("vocab_size", 49408)):
        message = f"{source.name!r} has {text_cfg.get('vocab_size')} token ids, its vocabulary {tokenizer.vocab_size}"
        raise config_fault(
            "encoder.model", f"{message}; set tokenizer_kwargs.bpe_path to the vocabulary it was made with"
        )
    return tokenizer
