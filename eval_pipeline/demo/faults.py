"""A few bad files, as every inbox has them: cut short, locked, empty, and not what its name says."""

import io

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.demo.drawing import draw_document
from eval_pipeline.demo.plan import DocumentPlan
from eval_pipeline.demo.world import World


def make_faults(world: World, plan: DocumentPlan) -> dict[str, bytes]:
    """File names and bytes of the bad files.

    Args:
        world: figures.
        plan: a sound document; half of its bytes make the truncated one.
    """
    whole, _ = draw_document(world, plan, plan.name)
    return {
        "upload-interrupted.pdf": whole[: len(whole) // 2],
        "board-minutes-locked.pdf": _locked(),
        "placeholder.pdf": b"",
        "meeting-notes.pdf": b"Notes of the finance meeting\nThis is a text file that was renamed.\n",
    }


def _locked() -> bytes:
    out = io.BytesIO()
    lock = StandardEncryption("correct horse", ownerPassword="battery staple", strength=128)
    canvas = Canvas(out, pageCompression=0, invariant=1, encrypt=lock)
    canvas.drawString(72, 700, "Minutes of the board: for members only")
    canvas.showPage()
    canvas.save()
    return out.getvalue()
