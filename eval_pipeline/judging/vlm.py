"""The judge `vlm`: a vision-language model behind any OpenAI-compatible endpoint looks at the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.protocols import PageContent, PaidCall, Verdict
from eval_pipeline.judging import many, prompts, replies
from eval_pipeline.judging.endpoint import Endpoint
from eval_pipeline.judging.endpoint_settings import EndpointSettings, check_prompt, parse_endpoint
from eval_pipeline.judging.meter import Paid
from eval_pipeline.judging.prompts import ShownPage, Verb
from eval_pipeline.judging.sharing import with_call
from eval_pipeline.judging.showing import count_picture_tokens, show_page, unreadable

CODE_VERSION = "1"


class VlmSettings(EndpointSettings):
    """Settings of the judge `vlm`.

    Attributes:
        candidates: pages that are shown at one time; one by one is the most careful.
        seed: of the order in which several are shown.
        order_check: whether several are shown a second time in the opposite order; where the two verdicts on a page
            differ, the judge abstains, and a person decides.
    """

    candidates: int = Field(default=1, ge=1, le=20)
    seed: int = 0
    order_check: bool = True


class VlmJudge:
    """Shows question and page to the model, and takes its reply for a verdict only where nothing is wrong with it.

    Args:
        settings: as declared.
        name: name in eval.yaml; no part of the judge version.
        path: declaring file, for messages.
        endpoint: tests pass one that does not sleep; None makes one.
    """

    kind = "vlm"

    def __init__(
        self,
        settings: VlmSettings,
        *,
        name: str = "vlm",
        path: str = "eval.yaml",
        endpoint: Endpoint | None = None,
    ) -> None:
        key = f"judges.{name}"
        check_prompt(settings.prompt, prompts.VERSIONS, path=path, key=key)
        self.name, self._settings = name, settings
        self.candidates, self.concurrency = settings.candidates, settings.concurrency
        self.record_every, self.asks = settings.record_every, settings.asks
        self._endpoint = endpoint or Endpoint(settings, path=path, key=key)
        self._told = self._tell()
        self.judge_id = content_id("jd", [self.kind, self._told])

    def settings(self) -> Mapping[str, str | int | float | bool | None]:
        """Everything that could change a verdict; never the key."""
        return self._told

    def _tell(self) -> dict[str, str | int | float | bool | None]:
        together = self._settings.candidates > 1
        told: dict[str, Any] = {
            "code_version": CODE_VERSION,
            **self._settings.asked(),
            "prompt_hash": prompts.prompt_hash(self._settings.prompt),
            "candidates": self._settings.candidates,
            "seed": self._settings.seed if together else None,
            "order_check": self._settings.order_check if together else None,
        }
        return told

    def count_paid(self, paid: Paid) -> None:
        """Take over what earlier runs paid for this judge version: its budget is one for all of them."""
        self._endpoint.meter.count_paid(paid)

    def stop(self, message: str) -> None:
        """Send nothing more; calls under way end as they do."""
        self._endpoint.meter.stop(message)

    @property
    def paid(self) -> Paid:
        """What was paid so far, earlier runs included where `count_paid` told of them."""
        return self._endpoint.meter.paid

    def answers(self, question: str, page: PageContent) -> Verdict:
        """Whether the page alone answers the question.

        Raises:
            JudgeFailed: no verdict came; see `Endpoint.ask`, `read_one` and `show_page`.
        """
        return self._ask_one("answers", question, page)

    def label(self, question: str, page: PageContent) -> Verdict:
        """Grade of the page; raises as `answers` does."""
        return self._ask_one("label", question, page)

    def answers_many(self, question: str, pages: Sequence[PageContent]) -> dict[str, Verdict | JudgeFailed]:
        """As `answers` for several pages in one call (two with `order_check`), by unit id."""
        return self._ask_many("answers", question, pages)

    def label_many(self, question: str, pages: Sequence[PageContent]) -> dict[str, Verdict | JudgeFailed]:
        """As `label` for several pages in one call (two with `order_check`), by unit id."""
        return self._ask_many("label", question, pages)

    def _ask_one(self, verb: Verb, question: str, page: PageContent) -> Verdict:
        self._endpoint.meter.check()
        shown = show_page(self._settings, page, question=question)
        if shown is None:
            return Verdict(outcome="abstain", reason=unreadable(page))
        size = None if shown.picture is None else shown.picture.size
        try:
            return self._ask_shown(verb, question, shown, size)
        except JudgeFailed as error:
            raise with_call(error, error.call or PaidCall(), picture_size=size) from error

    def _ask_shown(self, verb: Verb, question: str, shown: ShownPage, size: str | None) -> Verdict:
        reply = self._endpoint.ask(
            self._messages(verb, question, [shown], is_many=False),
            schema=replies.schema_of(verb, is_many=False),
            picture_tokens=count_picture_tokens([shown]),
        )
        try:
            said = replies.read_one(reply.content, verb=verb, page_id=shown.page_id)
        except JudgeFailed as error:
            raise with_call(error, reply.call) from error
        return with_call(said, reply.call, picture_size=size)

    def _ask_many(self, verb: Verb, question: str, pages: Sequence[PageContent]) -> dict[str, Verdict | JudgeFailed]:
        """Pages that cannot be shown have their reason; the others are shown together."""
        found: dict[str, Verdict | JudgeFailed] = {}
        shown: dict[str, ShownPage] = {}
        for page in pages:
            try:
                self._endpoint.meter.check()
                one = show_page(self._settings, page, question=question)
            except JudgeFailed as error:
                found[page.unit_id] = error
                continue
            if one is None:
                found[page.unit_id] = Verdict(outcome="abstain", reason=unreadable(page))
            else:
                shown[page.unit_id] = one
        if shown:
            found |= many.ask_in_orders(
                ask=lambda order: self._ask_list(verb, question, shown, order),
                shown=shown,
                seed=self._settings.seed,
                is_checked=self._settings.order_check,
            )
        return found

    def _ask_list(
        self, verb: Verb, question: str, shown: Mapping[str, ShownPage], order: Sequence[str]
    ) -> dict[str, Verdict | JudgeFailed]:
        pages = [shown[unit_id] for unit_id in order]
        messages = self._messages(verb, question, pages, is_many=True)
        schema = replies.schema_of(verb, is_many=True)
        try:
            reply = self._endpoint.ask(messages, schema=schema, picture_tokens=count_picture_tokens(pages))
        except JudgeFailed as error:
            return many.share_failure(error, shown, order)
        try:
            said = replies.read_many(reply.content, verb=verb, page_ids=[page.page_id for page in pages])
        except JudgeFailed as error:
            return many.share_failure(JudgeFailed(str(error), reason=error.reason, call=reply.call), shown, order)
        return many.share_verdicts(said, reply.call, shown, order)

    def _messages(
        self, verb: Verb, question: str, pages: Sequence[ShownPage], *, is_many: bool
    ) -> list[dict[str, Any]]:
        return prompts.build_messages(
            self._settings.prompt,
            verb=verb,
            question=question,
            pages=pages,
            sees=self._settings.sees,
            detail=self._settings.detail,
            is_many=is_many,
        )


def build_vlm(*, name: str, declared: Mapping[str, Any], path: str) -> VlmJudge:
    """The judge from its settings in eval.yaml, without `type`.

    Raises:
        ConfigError: names file, key and what is allowed.
    """
    settings = parse_endpoint(VlmSettings, declared, path=path, key=f"judges.{name}")
    return VlmJudge(settings, name=name, path=path)
