"""Choose and load the encoder that `eval.yaml` declares."""

from pathlib import Path

from eval_pipeline.embeddings.open_clip_encoder import OpenClipEncoder
from eval_pipeline.embeddings.sources import HUB_PREFIX, LOCAL_PREFIX, PROJECT_FILE, find_source
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.plugins import load_class
from eval_pipeline.foundation.protocols import Encoder


def load_encoder(*, config: EncoderConfig, home: Path) -> Encoder:
    """Load the declared encoder.

    Args:
        config: an open_clip name with `pretrained` or `checkpoint`, `local-dir:PATH` of a model directory (its own
            weights, else seeded random ones and `(untrained)` in the name), or `module:Class` of a class that takes
            the keywords `config` and `home` and keeps the encoder protocol.
        home: the project folder; paths are relative to it.

    Raises:
        ConfigError: names the key, what was found and what to do; also where weights do not fit their configuration.
    """
    if ":" in config.model and not config.model.startswith((LOCAL_PREFIX, HUB_PREFIX)):
        made: Encoder = load_class(config.model, path=PROJECT_FILE, key="encoder.model")(config=config, home=home)
        return made
    source = find_source(config=config, home=home)
    return OpenClipEncoder(source=source, seed=config.seed, batch_size=config.batch_size)
