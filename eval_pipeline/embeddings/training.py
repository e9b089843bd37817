"""Train a small open_clip model on pages and their captions, the same way every time.

In three lessons: the first on pages whose captions lead straight to what is written on them, the second on all, the
third on all under captions that name strangers. Given everything at once the model learned layouts and companies, and
in 1,400 steps nothing of the metrics on charts. After two lessons it knew the companies of its lessons by colours and
segments, and the name of any other in a question led it astray.

open_clip's own model and loss. The temperature is fixed, because a learned one runs away on so few pages; at a
learning rate of 2e-3 the text side collapses.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from eval_pipeline.embeddings.batches import Batch, draw_batches
from eval_pipeline.embeddings.building import BuiltModel, build_model
from eval_pipeline.embeddings.sources import ModelSource
from eval_pipeline.embeddings.threads import import_open_clip, import_torch
from eval_pipeline.foundation.errors import InputError

WARM_UP_SHARE = 0.04
CALIBRATION_BATCHES = 24  # of random pages, from which the statistics of batch normalisation are taken at the end


@dataclass(frozen=True, kw_only=True)
class TrainingPage:
    """One page to learn from.

    Attributes:
        pixels: (size, size, 3) uint8, see `pictures.squash_picture`.
        captions: texts that belong to it, at least one.
        renamed: the same texts under names of companies that are not on the page; as many.
        template: pages with the same key look alike.
        is_first: whether the first lesson shows it.
    """

    pixels: npt.NDArray[np.uint8]
    captions: tuple[str, ...]
    renamed: tuple[str, ...]
    template: str
    is_first: bool = True


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Everything that decides the weights besides the pages; on one machine the same settings give the same bits.

    Attributes:
        n_first_steps: optimiser steps of the first lesson.
        n_steps: optimiser steps of the second.
        n_last_steps: optimiser steps of the third.
        batch_size: pages a step; at 128 the same time buys half the steps, and 120 of them taught little.
        first_rate: learning rate of the first lesson at its highest; falls to zero along a cosine.
        learning_rate: that of the second.
        last_rate: that of the third.
        logit_scale: inverse temperature, fixed.
        weight_decay: of matrices and kernels.
        seed: of first weights and batches.
        is_bf16: whether forward passes of the training run in bfloat16; inference never does. Without matrix units for
            it in the processor float32 is faster: 0.88 against 1.02 s a step.
    """

    n_first_steps: int = 1000
    n_steps: int = 2200
    n_last_steps: int = 800
    batch_size: int = 64
    first_rate: float = 1e-3
    learning_rate: float = 7e-4
    last_rate: float = 5e-4
    logit_scale: float = 40.0
    weight_decay: float = 0.1
    seed: int = 0
    is_bf16: bool = False


@dataclass(frozen=True, kw_only=True)
class TrainedModel:
    """What training left.

    Attributes:
        built: the model in evaluation mode, float32.
        losses: loss of each step.
        n_pages: pages learned from.
        elapsed_s: seconds of the steps, without reading pages.
    """

    built: BuiltModel
    losses: tuple[float, ...]
    n_pages: int
    elapsed_s: float


def train_model(
    *,
    source: ModelSource,
    pages: Iterable[TrainingPage],
    settings: TrainingSettings,
    is_continued: bool = False,
    on_step: Callable[[int, float], None] = lambda step, loss: None,
) -> TrainedModel:
    """Train from random weights, or go on from weights that have had the first two lessons.

    Args:
        source: architecture, preprocessing and vocabulary; weights only where training goes on from them.
        pages: all pages; their pixels are kept in memory (about 110 kB a page at 192 pixels).
        settings: see there.
        is_continued: start from the weights of the source and give the last lesson only.
        on_step: told the number of each finished step, from 1, and its loss.

    Raises:
        InputError: fewer than two pages, a page without a caption, or pixels of another size than the model reads.
    """
    torch = import_torch()
    start = source if is_continued else replace(source, weights=None)
    built = build_model(start, seed=settings.seed, is_to_learn=True)
    taught = _Lessons(list(pages), built, size=int(source.model_cfg["vision_cfg"]["image_size"]))
    started = time.monotonic()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        losses: list[float] = []
        for lesson in _plan(settings, is_continued=is_continued):
            _take_steps(built.model, taught, lesson, losses, on_step)
        _calibrate(built.model, taught, settings)
    built.model.eval()
    return TrainedModel(
        built=built,
        losses=tuple(losses),
        n_pages=taught.n_pages,
        elapsed_s=time.monotonic() - started,
    )


@dataclass(frozen=True, kw_only=True)
class _Lesson:
    """Settings of one lesson.

    Attributes:
        settings: with its steps, rate and seed in `n_steps`, `learning_rate` and `seed`.
        is_first: on pages of the first lesson only.
        is_renamed: under captions that name strangers.
    """

    settings: TrainingSettings
    is_first: bool = False
    is_renamed: bool = False


def _plan(settings: TrainingSettings, *, is_continued: bool) -> list[_Lesson]:
    """The lessons that are to be given; one without steps is left out."""
    first = replace(settings, n_steps=settings.n_first_steps, learning_rate=settings.first_rate)
    last = replace(settings, n_steps=settings.n_last_steps, learning_rate=settings.last_rate, seed=settings.seed + 2)
    lessons = [] if is_continued else [_Lesson(settings=first, is_first=True), _Lesson(settings=settings)]
    return [lesson for lesson in (*lessons, _Lesson(settings=last, is_renamed=True)) if lesson.settings.n_steps]


class _Lessons:
    """Pixels and tokens of all pages, ready to be put into batches."""

    def __init__(self, pages: Sequence[TrainingPage], built: BuiltModel, *, size: int) -> None:
        _check(pages, size)
        torch = import_torch()
        self.n_pages = len(pages)
        self.templates = [page.template for page in pages]
        self._first = np.flatnonzero([page.is_first for page in pages])
        self._n_captions = [len(page.captions) for page in pages]
        self._pixels = torch.from_numpy(np.stack([page.pixels for page in pages]))
        self._tokens = [built.tokenizer(list(page.captions)) for page in pages]
        self._renamed = [built.tokenizer(list(page.renamed)) for page in pages]
        scale = torch.tensor([[built.preprocess_cfg["mean"]], [built.preprocess_cfg["std"]]]) * 255.0
        self._mean, self._std = scale[0].reshape(1, 3, 1, 1), scale[1].reshape(1, 3, 1, 1)

    def pictures(self, batch: Batch) -> Any:
        """(batch, 3, size, size) float32, normalised, channels last in memory."""
        torch = import_torch()
        raw = self._pixels[torch.from_numpy(batch.pages)].permute(0, 3, 1, 2).float()
        return (raw - self._mean) / self._std

    def texts(self, batch: Batch, *, is_renamed: bool) -> Any:
        """(batch, context) token ids."""
        torch = import_torch()
        tokens = self._renamed if is_renamed else self._tokens
        pairs = zip(batch.pages.tolist(), batch.captions.tolist(), strict=True)
        return torch.stack([tokens[page][caption] for page, caption in pairs])

    def batches(self, lesson: _Lesson) -> Iterable[Batch]:
        """Batches of a lesson."""
        rows = self._first if lesson.is_first else np.arange(self.n_pages)
        drawn = draw_batches(
            templates=[self.templates[row] for row in rows],
            n_captions=[self._n_captions[row] for row in rows],
            n_steps=lesson.settings.n_steps,
            batch_size=lesson.settings.batch_size,
            seed=lesson.settings.seed,
        )
        return (replace(batch, pages=rows[batch.pages]) for batch in drawn)


def _check(pages: Sequence[TrainingPage], size: int) -> None:
    if sum(page.is_first for page in pages) < 2:
        message = f"training needs two pages or more in its first lesson, found {sum(page.is_first for page in pages)}"
        raise InputError(message)
    for place, page in enumerate(pages, start=1):
        n_captions, n_renamed = len(page.captions), len(page.renamed)
        if not n_captions or n_renamed != n_captions or page.pixels.shape != (size, size, 3):
            message = (
                f"training page {place} has {n_captions} captions, {n_renamed} renamed ones and pixels of shape "
                f"{page.pixels.shape}; expected at least one caption, as many renamed and ({size}, {size}, 3)"
            )
            raise InputError(message)


def _take_steps(
    model: Any, taught: _Lessons, lesson: _Lesson, losses: list[float], on_step: Callable[[int, float], None]
) -> None:
    """Give a lesson; the loss of each step is added to those of the lessons before."""
    settings = lesson.settings
    torch, open_clip = import_torch(), import_open_clip()
    model.train()
    model.to(memory_format=torch.channels_last)
    model.logit_scale.data.fill_(math.log(settings.logit_scale))
    model.logit_scale.requires_grad_(False)
    optimizer, loss_of = _build_optimizer(model, settings), open_clip.ClipLoss()
    scale = torch.tensor(settings.logit_scale)
    for step, batch in enumerate(taught.batches(lesson)):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, settings)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=settings.is_bf16):
            seen = model.encode_image(taught.pictures(batch), normalize=True)
            read = model.encode_text(taught.texts(batch, is_renamed=lesson.is_renamed), normalize=True)
        loss = loss_of(seen.float(), read.float(), scale)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        on_step(len(losses), losses[-1])


def rate_at(step: int, settings: TrainingSettings) -> float:
    """Learning rate of a step counted from 0: a short linear rise, then half a cosine down to nearly zero."""
    rise = max(1, round(settings.n_steps * WARM_UP_SHARE))
    if step < rise:
        return settings.learning_rate * (step + 1) / rise
    part = (step - rise) / max(1, settings.n_steps - rise)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * part))


def _build_optimizer(model: Any, settings: TrainingSettings) -> Any:
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in learned if p.ndim >= 2], "weight_decay": settings.weight_decay},
        {"params": [p for p in learned if p.ndim < 2], "weight_decay": 0.0},
    ]
    return import_torch().optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98), eps=1e-6)


def _calibrate(model: Any, taught: _Lessons, settings: TrainingSettings) -> None:
    """Take the statistics of batch normalisation from random pages, in float32, as inference will see them.

    Those gathered on the way are of changing weights, and half of them of batches of two templates.
    """
    torch = import_torch()
    norms = [module for module in model.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # a plain average over the batches that follow
    quiet = replace(settings, n_steps=2 * CALIBRATION_BATCHES, seed=settings.seed + 1)
    with torch.no_grad():
        for batch in list(taught.batches(_Lesson(settings=quiet)))[::2]:
            model.encode_image(taught.pictures(batch))
