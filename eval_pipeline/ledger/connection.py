"""The one door to the ledger: lock, open, mend, apply what waits, work, close - for readers too."""

from collections.abc import Iterator
from contextlib import contextmanager

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.applying import apply_pending
from eval_pipeline.ledger.locking import DEFAULT_WAIT_S, hold_lock
from eval_pipeline.ledger.mending import mend_losses
from eval_pipeline.ledger.opening import damaged, open_ledger
from eval_pipeline.ledger.sessions import DAMAGE, Session


@contextmanager
def session(paths: ProjectPaths, *, wait_s: float = DEFAULT_WAIT_S) -> Iterator[Session]:
    """Open the ledger of a project folder for the length of the block; keep the block short, others wait.

    Everything that a killed process left undone is completed first: commits that wait are applied, commits that the
    file lost (a cut write-ahead log, a deleted file) are applied again from the record.

    Args:
        paths: project folder; the file and its schema are made at first use.
        wait_s: seconds to wait for other processes.

    Raises:
        LedgerBusy: another process held the ledger longer; names its process id.
        LedgerVersion: the file was written by another version; it is left untouched.
        LedgerDamaged: the file or a commit cannot be read; tells the way out.
    """
    with hold_lock(paths.lock, wait_s=wait_s):
        opened = open_ledger(paths.ledger)
        try:
            mended = mend_losses(opened.con, paths, is_suspect=opened.is_new or opened.kept_log is not None)
            if opened.kept_log is not None and not mended:
                opened.kept_log.unlink()  # everything in it is in the file now
            completed = apply_pending(opened.con, paths)
            yield Session(opened.con, paths, mended=tuple(mended), completed=tuple(completed))
        except DAMAGE as error:
            raise damaged(paths.ledger, error) from error
        finally:
            opened.con.close()
