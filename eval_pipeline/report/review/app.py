"""The review pages as a Starlette app.

Addresses (what other pages may link to): `/pair/QUESTION/UNIT`, `/question/QUESTION`, `/receipt/RECEIPT`,
`/label/LABEL`, `/queue/audit`, `/queue/priority`. Each shows nothing that the reviewer's clearance hides.
"""

import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from eval_pipeline.foundation.errors import EvalPipelineError, InputError, LedgerBusy, UnknownName
from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.report.review.asked import COOKIE, own_path, pair_of, read_body, reviewer_of, text_of
from eval_pipeline.report.review.desk import Desk
from eval_pipeline.report.review.guarding import LoopbackGuard
from eval_pipeline.report.review.records import Outcome, read_name
from eval_pipeline.report.review.showing import (
    address_of,
    make_environment,
    show_history,
    show_home,
    show_pair,
    show_question,
    show_voice,
)

HERE = Path(__file__).parent
A_YEAR_S = 365 * 24 * 3600

Handler = Callable[[Request], Awaitable[Response]]


def build_app(desk: Desk, *, port: int) -> Starlette:
    """The app.

    Args:
        desk: what is reviewed.
        port: where it is served, for the check of Host and Origin.
    """
    pages = ReviewApp(desk)
    routes = [
        Route("/", pages.home),
        Route("/name", pages.name, methods=["POST"]),
        Route("/queue/{queue}", pages.queue),
        Route("/pair/{question_id}/{unit_id}", pages.pair),
        Route("/question/{question_id}", pages.question),
        Route("/receipt/{receipt_id}", pages.receipt),
        Route("/label/{label_id}", pages.label),
        Route("/history", pages.history),
        Route("/picture/{unit_id}", pages.picture),
        Route("/document/{unit_id}", pages.document),
        *(
            Route(f"/{name}", getattr(pages, name), methods=["POST"])
            for name in ("decide", "undo", "skip", "reveal", "refresh")
        ),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(LoopbackGuard, port=port)],
        exception_handlers={
            UnknownName: pages.unknown,
            InputError: pages.wrong,
            LedgerBusy: pages.busy,
            EvalPipelineError: pages.broken,
        },
    )


class ReviewApp:
    """Handlers of the routes; what blocks runs in a thread.

    Args:
        desk: what is reviewed.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._templates = make_environment()

    async def home(self, request: Request) -> Response:
        """Both queues; asks for a name first."""
        reviewer = reviewer_of(request)
        if reviewer is None:
            return self._html("name.html", {"next": "/"})
        is_fresh = await run_in_threadpool(self._look_at_others)
        shown = await run_in_threadpool(show_home, self._desk, reviewer)
        return self._html("home.html", {**shown, "is_fresh": is_fresh})

    async def name(self, request: Request) -> Response:
        """Keep the reviewer's name in a cookie and go on."""
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        reviewer = read_name(form.get("reviewer", [""])[0])
        answer = RedirectResponse(own_path(form.get("next", ["/"])[0]), status_code=303)
        answer.set_cookie(COOKIE, quote(reviewer), max_age=A_YEAR_S, httponly=True, samesite="lax")
        return answer

    async def queue(self, request: Request) -> Response:
        """The next pair of a queue, or the page that says that none is left."""
        if (reviewer := reviewer_of(request)) is None:
            return self._ask_name(request)
        name = request.path_params["queue"]
        pair = await run_in_threadpool(self._desk.next_pair, name, reviewer)
        if pair is None:
            shown = await run_in_threadpool(show_home, self._desk, reviewer)
            return self._html("home.html", {**shown, "is_fresh": True, "finished": name})
        return RedirectResponse(address_of(pair, name), status_code=303)

    async def pair(self, request: Request) -> Response:
        """One pair."""
        if (reviewer := reviewer_of(request)) is None:
            return self._ask_name(request)
        asked_from = request.query_params.get("queue", "")
        shown = await run_in_threadpool(show_pair, self._desk, pair_of(request.path_params), reviewer, asked_from)
        return self._html("pair.html", shown)

    async def question(self, request: Request) -> Response:
        """The pairs of a question."""
        if (reviewer := reviewer_of(request)) is None:
            return self._ask_name(request)
        question_id = request.path_params["question_id"]
        shown = await run_in_threadpool(show_question, self._desk, question_id, reviewer)
        return self._html("question.html", shown)

    async def receipt(self, request: Request) -> Response:
        """To the question of a receipt."""
        question_id = await run_in_threadpool(self._desk.question_of, request.path_params["receipt_id"])
        return RedirectResponse(f"/question/{quote(question_id, safe='')}", status_code=303)

    async def label(self, request: Request) -> Response:
        """To the pair of a label."""
        pair = await run_in_threadpool(self._desk.pair_of_label, request.path_params["label_id"])
        return RedirectResponse(address_of(pair, ""), status_code=303)

    async def history(self, request: Request) -> Response:
        """Who said what and when, retractions too."""
        if (reviewer := reviewer_of(request)) is None:
            return self._ask_name(request)
        rows = await run_in_threadpool(show_history, self._desk, reviewer)
        return self._html("history.html", {"rows": rows, "reviewer": reviewer})

    async def picture(self, request: Request) -> Response:
        """The picture of a page, by unit id only."""
        page = self._page(request)
        return FileResponse(page.picture, media_type=mimetypes.guess_type(page.picture.name)[0] or "image/webp")

    async def document(self, request: Request) -> Response:
        """The whole file of a page, by unit id, where all of it may be shown."""
        page = self._page(request)
        if page.document is None or not page.document.is_file():
            message = "the file of this page cannot be shown as a whole"
            raise UnknownName(message, name=page.unit_id)
        return FileResponse(page.document, filename=page.document.name, content_disposition_type="inline")

    async def decide(self, request: Request) -> Response:
        """Record a decision."""
        given = await read_body(request)
        pair, reviewer, grade = pair_of(given), read_name(text_of(given, "reviewer")), text_of(given, "grade")
        if grade not in GRADES:
            message = f"{grade!r} is no grade; allowed: {', '.join(GRADES)}"
            raise InputError(message)
        outcome = await run_in_threadpool(
            self._desk.decide,
            pair,
            grade,
            author=reviewer,
            state=text_of(given, "state"),
            reason=text_of(given, "reason"),
        )
        return JSONResponse(self._told(outcome, next_address=_next(given)))

    async def undo(self, request: Request) -> Response:
        """Take a label back."""
        given = await read_body(request)
        label_id, reviewer = text_of(given, "label_id"), read_name(text_of(given, "reviewer"))
        pair, outcome = await run_in_threadpool(self._desk.undo, label_id, author=reviewer)
        return JSONResponse(self._told(outcome, next_address=address_of(pair, text_of(given, "queue"))))

    async def skip(self, request: Request) -> Response:
        """Show this pair last."""
        given = await read_body(request)
        await run_in_threadpool(self._desk.skip, pair_of(given), read_name(text_of(given, "reviewer")))
        return JSONResponse({"next": _next(given)})

    async def reveal(self, request: Request) -> Response:
        """The model's answer, once the reviewer has decided."""
        given = await read_body(request)
        answers = await run_in_threadpool(self._desk.reveal, pair_of(given), read_name(text_of(given, "reviewer")))
        shown = [
            {"judge": one.judge, "verb": one.verb, "outcome": one.outcome, "reason": one.reason} for one in answers
        ]
        return JSONResponse({"answers": shown})

    async def refresh(self, request: Request) -> Response:
        """Read everything anew, as after a night."""
        await read_body(request)
        await run_in_threadpool(self._desk.read_again)
        return JSONResponse({"next": "/"})

    async def unknown(self, request: Request, error: Exception) -> Response:
        """404, in words."""
        return self._fault(request, str(error), 404)

    async def wrong(self, request: Request, error: Exception) -> Response:
        """400, in words."""
        return self._fault(request, str(error), 400)

    async def busy(self, request: Request, error: Exception) -> Response:
        """503: nothing was recorded, and the page tries again."""
        return self._fault(request, str(error), 503)

    async def broken(self, request: Request, error: Exception) -> Response:
        """500, in words: the ledger is damaged, or written by another version; the page keeps its decision."""
        return self._fault(request, str(error), 500)

    def _fault(self, request: Request, message: str, status: int) -> Response:
        if request.method == "POST" and request.url.path != "/name":
            return JSONResponse({"error": message, "is_kept": status >= 500}, status_code=status)
        return self._html("fault.html", {"message": message, "is_busy": status == 503}, status=status)

    def _look_at_others(self) -> bool:
        try:
            if self._desk.basis.questions:
                self._desk.read_labels()
            else:
                self._desk.read_again()
        except LedgerBusy:
            return False
        return True

    def _page(self, request: Request) -> Any:
        unit_id = request.path_params["unit_id"]
        page = self._desk.basis.pages.get(unit_id)
        if page is None:
            message = f"no page {unit_id!r} is up for review here"
            raise UnknownName(message, name=unit_id)
        return page

    def _told(self, outcome: Outcome, *, next_address: str) -> dict[str, object]:
        return {
            "label_id": outcome.label_id,
            "is_new": outcome.is_new,
            "is_contested": outcome.is_contested,
            "changed_by": [show_voice(voice) for voice in outcome.changed_by],
            "next": next_address,
        }

    def _ask_name(self, request: Request) -> Response:
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return self._html("name.html", {"next": address})

    def _html(self, template: str, shown: Mapping[str, object], *, status: int = 200) -> Response:
        basis = self._desk.basis
        html = self._templates.get_template(template).render(title=basis.title, project_id=basis.project_id, **shown)
        return Response(html.encode("utf-8", "replace"), status_code=status, media_type="text/html")


def _next(given: Mapping[str, Any]) -> str:
    queue = text_of(given, "queue")
    return f"/queue/{quote(queue, safe='')}" if queue else address_of(pair_of(given), "")
