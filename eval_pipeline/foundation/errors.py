"""Every error that the product raises on purpose.

    EvalPipelineError                something we can name went wrong            exit code 1
    |- InputError                    given data or configuration is wrong        exit code 2
    |  |- ConfigError                eval.yaml or a contract
    |  |- TableError                 a metadata table, question file, label file or run file
    |  `- UnknownName                an id or name that nothing answers to
    |- LineageError                  a stale or broken trail                     exit code 1
    |  |- LedgerBusy                 another process holds the ledger too long
    |  |- LedgerDamaged              the ledger cannot be opened or does not match its commits
    |  `- LedgerVersion              the ledger was written by another version
    |- JudgeFailed                   a judge gave no verdict; it is counted and asked again
    |- RetrievalFailed               a retriever did not answer a question; it is named, counted and asked again
    |- MeasureUndefined              a measure has no value for a named reason
    `- GateFailed                    a declared gate or blocking check failed    exit code 3

A message says what was expected, what was found and what to do next; ids and places are attributes as well.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval_pipeline.foundation.protocols import PaidCall


class EvalPipelineError(Exception):
    """Root of the tree."""

    exit_code = 1


class InputError(EvalPipelineError):
    """Given data or configuration is wrong; the message names the place and what to do."""

    exit_code = 2


class ConfigError(InputError):
    """A declared file (eval.yaml, a contract) says something that is not allowed.

    Attributes:
        path: the file as it was given.
        key: dotted path of the key, or None when the file as a whole is wrong.
    """

    def __init__(self, message: str, *, path: str, key: str | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.key = key


class TableError(InputError):
    """A table that the user brought cannot be used as a whole.

    Attributes:
        path: the file as it was given.
        line: 1-based line or row number, or None when the whole file is meant.
    """

    def __init__(self, message: str, *, path: str, line: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.line = line


class UnknownName(InputError):
    """An id or a name that nothing in the project answers to.

    Attributes:
        name: what was asked for.
    """

    def __init__(self, message: str, *, name: str) -> None:
        super().__init__(message)
        self.name = name


class LineageError(EvalPipelineError):
    """The trail behind a number is stale or broken."""


class LedgerBusy(LineageError):
    """Another process held the ledger's lock for longer than the caller would wait."""


class LedgerDamaged(LineageError):
    """The ledger cannot be opened, or what it holds differs from its commits."""


class LedgerVersion(LineageError):
    """The ledger file was written by another version of DuckDB or of this schema."""


class JudgeFailed(EvalPipelineError):
    """A judge gave no verdict: cut, refused, malformed, unreachable. It is counted and asked again, never a label.

    Attributes:
        reason: short reason, the same words for the same fault.
        call: what was paid all the same; None where nothing was asked.
    """

    def __init__(self, message: str, *, reason: str, call: "PaidCall | None" = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.call = call


class RetrievalFailed(EvalPipelineError):
    """A retriever did not answer a question: time-out, refusal, malformed reply. Never an empty ranking.

    Attributes:
        reason: short reason, the same words for the same fault.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class MeasureUndefined(EvalPipelineError):
    """A measure has no value here.

    Attributes:
        reason: the short name of the reason that is stored in place of a value.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class GateFailed(EvalPipelineError):
    """A declared gate or a blocking check failed."""

    exit_code = 3
