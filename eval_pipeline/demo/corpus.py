"""Draw the demo corpus into a project folder."""

from dataclasses import dataclass, replace
from pathlib import Path

from eval_pipeline.demo.drawing import draw_document
from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.faults import make_faults
from eval_pipeline.demo.metadata import Seeding, write_metadata
from eval_pipeline.demo.plan import N_COMMITTED, DocumentPlan, plan_committed, plan_drawn
from eval_pipeline.demo.synonyms import write_synonyms
from eval_pipeline.demo.truth import write_truth
from eval_pipeline.demo.world import World
from eval_pipeline.foundation.files import write_atomically

DEMO_SEED = 7
DEFAULT_PAGES = 1_500


@dataclass(frozen=True, kw_only=True)
class DemoCorpus:
    """What was drawn.

    Attributes:
        home: project folder.
        n_pages: pages of sound documents, copies included.
        documents: their paths relative to the project folder, in the order drawn.
        faults: paths of the bad files.
        metadata: paths of the metadata tables.
        truth: path of the truth, outside the corpus.
    """

    home: Path
    n_pages: int
    documents: tuple[str, ...]
    faults: tuple[str, ...]
    metadata: tuple[str, ...]
    truth: Path

    @property
    def n_documents(self) -> int:
        """Sound documents, copies included."""
        return len(self.documents)


def draw_demo(*, home: Path, n_pages: int, seed: int = DEMO_SEED) -> DemoCorpus:
    """Draw pages: the first 60 into `corpus/`, the others into `corpus/drawn/`; the same seed, the same bytes.

    A file that is there with the same bytes is left alone, so drawing again changes nothing. What an earlier, larger
    draw left in `corpus/drawn/` is removed.

    Args:
        home: project folder; made where it is missing.
        n_pages: at least 12. A larger number adds documents and changes none of the first 60 pages' documents; fewer
            than 60 give shorter reports.
        seed: of companies and figures.

    Raises:
        InputError: fewer than 12 pages.
    """
    world = World(seed=seed)
    committed = plan_committed(world, n_pages)
    drawn = plan_drawn(world, n_pages - N_COMMITTED)
    _clear_drawn(home, {f"{plan.name}.pdf" for plan in drawn} | ({"metadata.csv"} if drawn else set()))
    truths = _draw_all(world, committed, home, "corpus") + _draw_all(world, drawn, home, "corpus/drawn")
    faults = make_faults(world, replace(committed[0], name="upload-interrupted"))
    _put_all(home, "corpus", faults)
    placed: Seeding = "few" if n_pages < N_COMMITTED else "one of each"
    tables = {"corpus/metadata.csv": write_metadata(committed, seed=seed, seeding=placed)}
    if drawn:
        tables["corpus/drawn/metadata.csv"] = write_metadata(drawn, seed=seed, seeding="by hash")
    _put_all(home, "", tables)
    _put_all(home, "corpus", {"entities.csv": write_synonyms(committed)})
    return DemoCorpus(
        home=home,
        n_pages=len(truths),
        documents=tuple(dict.fromkeys(truth.document for truth in truths)),
        faults=tuple(f"corpus/{name}" for name in faults),
        metadata=tuple(tables),
        truth=write_truth(home, truths),
    )


def _draw_all(world: World, plans: list[DocumentPlan], home: Path, folder: str) -> list[PageTruth]:
    truths: list[PageTruth] = []
    for plan in plans:
        path = f"{folder}/{plan.name}.pdf"
        data, pages = draw_document(world, plan, path)
        _put_all(home, "", {path: data})
        truths += pages
    return truths


def _clear_drawn(home: Path, kept: set[str]) -> None:
    for path in sorted((home / "corpus" / "drawn").glob("*.*")):
        if path.name not in kept:
            path.unlink()


def _put_all(home: Path, folder: str, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = home / folder / name
        if not path.is_file() or path.read_bytes() != data:
            write_atomically(path, data)
