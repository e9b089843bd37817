"""What `eval.yaml` says of an OpenAI-compatible endpoint, for judges and question writers alike."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator, model_validator

from eval_pipeline.foundation.declared import Declared, parse_declared
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.ids import Jsonable, canonical_json

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEY_LIKE = re.compile(r"^(sk|pk|key|gsk|hf|xai)[-_]", re.IGNORECASE)
SHRUNK_PX = 512
"""To this `detail: low` brings a picture at the endpoint, whatever was sent."""


class BudgetSettings(Declared):
    """What one version of a judge or writer may cost, over its life: a run that is repeated does not start anew.

    Attributes:
        tokens: tokens read and written.
        usd: money.
    """

    tokens: int | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0)


class PriceSettings(Declared):
    """Money per million tokens, for endpoints that do not tell what a reply cost.

    Attributes:
        input: of tokens read.
        output: of tokens written.
    """

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class EndpointSettings(Declared):
    """How an endpoint is asked.

    Attributes:
        base_url: address up to and with `/v1`.
        model: name that the endpoint knows.
        key_env: name of the environment variable that holds the key; None where the endpoint wants none.
        prompt: version of the prompt.
        sees: what is shown of a page.
        image_px: the longer side of a picture that is sent, at most; pictures are never enlarged.
        min_image_px: the shorter side, at least; a smaller picture is not sent, and its pair is `too small to read`.
        detail: how the endpoint is told to look.
        structured: how a reply of the declared form is asked for: a JSON schema that the endpoint enforces, JSON of
            any form, or by the prompt alone.
        temperature: None leaves it to the endpoint.
        max_tokens: length of a reply; a reply that is cut is asked for again at twice and four times the length.
        limit_key: what the endpoint calls that limit.
        extra: further fields of the request, as the endpoint documents them.
        concurrency: requests at one time.
        timeout_s: of one request.
        retries: further requests after 429, 5xx, time-outs and broken connections.
        budget: what it may cost.
        price: of tokens.
        asks: times that something is asked, over all runs, whose reply was cut, refused, empty or of a wrong form.
        record_every: replies after which they are recorded, or five seconds: what a killed run asks again at most,
            beside what was under way.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str
    model: str = Field(min_length=1)
    key_env: str | None = None
    prompt: str = "v1"
    sees: tuple[Literal["picture", "text"], ...] = Field(default=("picture", "text"), min_length=1)
    image_px: int = Field(default=1600, ge=64, le=8192)
    min_image_px: int = Field(default=600, ge=1)
    detail: Literal["low", "high", "auto"] = "high"
    structured: Literal["json_schema", "json_object", "prompt"] = "json_schema"
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    max_tokens: int = Field(default=1000, ge=16)
    limit_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: dict[str, Any] = Field(default_factory=dict)
    concurrency: int = Field(default=4, ge=1, le=256)
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=5, ge=0, le=20)
    budget: BudgetSettings = BudgetSettings()
    price: PriceSettings | None = None
    asks: int = Field(default=3, ge=1)
    record_every: int = Field(default=8, ge=1)

    @field_validator("base_url")
    @classmethod
    def _is_a_plain_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.username or parts.password or parts.query:
            message = "an address without name, password or query: the key belongs into the variable of key_env"
            raise ValueError(message)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = "should be an address such as http://127.0.0.1:8000/v1"
            raise ValueError(message)
        return value.rstrip("/")

    @field_validator("key_env")
    @classmethod
    def _names_a_variable(cls, value: str | None) -> str | None:
        if value is not None and (not VARIABLE.fullmatch(value) or KEY_LIKE.match(value)):
            message = "should be the name of an environment variable, such as VLM_API_KEY, and never the key itself"
            raise ValueError(message)
        return value

    @model_validator(mode="after")
    def _pictures_can_be_read(self) -> "EndpointSettings":
        if "picture" not in self.sees:
            return self
        if self.min_image_px > self.image_px:
            message = f"min_image_px {self.min_image_px} is more than image_px {self.image_px}: nothing could be sent"
            raise ValueError(message)
        if self.detail == "low" and self.min_image_px > SHRUNK_PX:
            message = (
                f"detail: low shrinks pictures to {SHRUNK_PX} px, less than min_image_px {self.min_image_px}: print "
                "cannot be read; use high, or lower min_image_px"
            )
            raise ValueError(message)
        return self

    def asked(self) -> dict[str, Jsonable]:
        """What could change a reply, as plain values: the address too, as another server may serve another model."""
        picture = "picture" in self.sees
        return {
            "base_url": self.base_url,
            "model": self.model,
            "prompt": self.prompt,
            "sees": "+".join(sorted(set(self.sees))),
            "image_px": self.image_px if picture else None,
            "min_image_px": self.min_image_px if picture else None,
            "detail": self.detail if picture else None,
            "structured": self.structured,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "extra": canonical_json(self.extra) if self.extra else None,
        }


def check_prompt(version: str, known: Iterable[str], *, path: str, key: str) -> None:
    """Refuse a prompt version that is not there.

    Raises:
        ConfigError: names the versions there are.
    """
    if version not in (there := list(known)):
        message = f"{path}: {key}.prompt: no prompt {version!r}; allowed: {', '.join(there)}"
        raise ConfigError(message, path=path, key=f"{key}.prompt")


S = TypeVar("S", bound=EndpointSettings)


def parse_endpoint(model: type[S], settings: Mapping[str, Any], *, path: str, key: str) -> S:
    """Settings of a judge or writer under a key of `eval.yaml`.

    Raises:
        ConfigError: names file and full key; the value is not repeated, as it might be a secret.
    """
    try:
        return parse_declared(model, settings, path=path)
    except ConfigError as error:
        told = str(error).split(": ", maxsplit=2)[-1]
        inner = f"{key}.{error.key}" if error.key else key
        message = f"{path}: {inner}: {told.split('; found ', maxsplit=1)[0]}"
        raise ConfigError(message, path=path, key=inner) from None
