"""What is shown of a page: text layer, picture, or both, as declared."""

from collections.abc import Sequence

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.judging.endpoint_settings import EndpointSettings
from eval_pipeline.judging.page_pictures import prepare_picture
from eval_pipeline.judging.prompts import ShownPage, page_id_of


def show_page(settings: EndpointSettings, page: PageContent, *, question: str = "") -> ShownPage | None:
    """The page as it is shown; None where only its text would be, and that cannot be read.

    A garbled text layer is not shown beside a picture.

    Args:
        settings: what is shown, and how large.
        page: the page.
        question: takes part in the page's name for this call.

    Raises:
        JudgeFailed: `too small to read` or `no page content`.
    """
    text = page.text if "text" in settings.sees and page.text_quality == "good" else None
    if "picture" not in settings.sees:
        if text is None or not text.strip():
            return None
        return ShownPage(page_id=page_id_of(question, text, None), text=text, picture=None)
    if page.picture is None:
        message = f"unit {page.unit_id} has no picture"
        raise JudgeFailed(message, reason="no page content")
    picture = prepare_picture(page.picture, image_px=settings.image_px, min_image_px=settings.min_image_px)
    return ShownPage(page_id=page_id_of(question, text, picture), text=text, picture=picture)


def unreadable(page: PageContent) -> str:
    """Why a page cannot be shown, in a sentence."""
    quality = page.text_quality if page.text.strip() else "missing"
    return f"The text of the page is {quality}."


def count_picture_tokens(pages: Sequence[ShownPage]) -> int:
    """What the pictures of some pages may count for."""
    return sum(page.picture.n_tokens_at_most for page in pages if page.picture is not None)
