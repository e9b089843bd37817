"""The Typer application; commands import what they need when they run, so that `--help` is quick."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from eval_pipeline.cli.commands.arenas import arenas_app
from eval_pipeline.cli.commands.encoder import encoder_app
from eval_pipeline.cli.commands.judge import judge_app
from eval_pipeline.cli.commands.labels import labels_app
from eval_pipeline.cli.console import say_error
from eval_pipeline.foundation.errors import EvalPipelineError

app = typer.Typer(
    name="eval-pipeline",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Nightly evaluation of visual document retrievers: does the evidence come back?",
)

app.add_typer(arenas_app, name="arenas")
app.add_typer(encoder_app, name="encoder")
app.add_typer(judge_app, name="judge")
app.add_typer(labels_app, name="labels")

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of documents, and perhaps tables.")],
) -> None:
    """Make a folder of documents a project: propose eval.yaml and a contract, and show what could not be parsed.

    Example: eval-pipeline init reports/
    """
    from eval_pipeline.cli.commands.init import init_project

    init_project(folder)


@app.command()
def plan(home: Home = None, json: AsJson = False) -> None:
    """Say what the next run will do and cost before it does: documents, pages, judge calls, money, hours, disk.

    Example: eval-pipeline plan --home reports/
    """
    from eval_pipeline.cli.commands.plan import show_plan

    show_plan(home=home, as_json=json)


@app.command()
def demo(
    pages: Annotated[
        int, typer.Option(help="Pages of the demo corpus, 60 to 50,000; 12 for a very small one.")
    ] = 1_500,
    home: Home = None,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 7,
) -> None:
    """Draw the demo corpus, run the whole graph on it and print what it measures.

    Example: eval-pipeline demo --pages 60
    """
    from eval_pipeline.cli.commands.demo import run_demo

    run_demo(home=home, n_pages=pages, seed=seed)


@app.command()
def run(
    home: Home = None,
    select: Annotated[str | None, typer.Option(help="Asset names, separated by commas; default: all.")] = None,
    stale: Annotated[
        bool, typer.Option("--stale", help="Only pools and questions of buckets whose templates changed.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Materialise the graph (or some assets) from the terminal, with progress.

    Example: eval-pipeline run --select documents,pages
    """
    from eval_pipeline.cli.commands.run import run_graph, run_touched

    if stale and select:
        message = "--stale names its assets itself; leave --select out"
        raise typer.BadParameter(message)
    if stale:
        run_touched(home=home, as_json=json)
        return
    run_graph(home=home, select=select.split(",") if select else None, as_json=json)


@app.command()
def metrics(
    home: Home = None,
    contract: Annotated[str | None, typer.Option(help="Task name of a contract; default: all.")] = None,
    json: AsJson = False,
) -> None:
    """Print the metric table of the last evaluation.

    Example: eval-pipeline metrics --contract quarterly-evidence
    """
    from eval_pipeline.cli.commands.metrics import show_metrics

    show_metrics(home=home, contract=contract, as_json=json)


@app.command()
def trace(
    identity: Annotated[str, typer.Argument(help="Id of a receipt, metric, label, unit, question or template.")],
    home: Home = None,
    forward: Annotated[bool, typer.Option("--forward", help="All that rests on it instead.")] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Of a question: its pages in a table, by look and by content.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Print the way from a number back to its pages, or forward to all that rests on a thing.

    Example: eval-pipeline trace met_0123456789abcdef0123
    """
    if candidates:
        from eval_pipeline.cli.commands.trace_candidates import show_candidates

        show_candidates(question_id=identity, home=home, as_json=json)
        return
    from eval_pipeline.cli.commands.trace import show_trace

    show_trace(identity=identity, home=home, forward=forward, as_json=json)


@app.command()
def report(
    home: Home = None,
    picture: Annotated[Path | None, typer.Option(help="Draw its argument as one PNG here as well.")] = None,
    variant: Annotated[str, typer.Option(help="Retriever whose bars the picture shows.")] = "image",
) -> None:
    """Print where the report of the last evaluation is.

    Example: eval-pipeline report --picture lead.png
    """
    from eval_pipeline.cli.commands.report import show_report

    show_report(home=home, picture=picture, variant=variant)


@app.command()
def review(
    home: Home = None,
    port: Annotated[int, typer.Option(help="Port of the review pages on 127.0.0.1.")] = 3001,
    clearance: Annotated[
        str | None, typer.Option(help="Hide pages above this access level; default: show all.", show_default=False)
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="Group of whoever looks; with --clearance.", show_default=False)
    ] = None,
    kind: Annotated[Literal["human", "developer"], typer.Option("--kind", help="Author kind of the labels.")] = "human",
) -> None:
    """Serve the review pages: people label pairs of question and page, by three keys; stop with Ctrl-C.

    Example: eval-pipeline review --port 3001
    """
    from eval_pipeline.cli.commands.review import serve_review

    serve_review(home=home, port=port, clearance=clearance, groups=group or [], author_kind=kind)


@app.command()
def verify(home: Home = None, json: AsJson = False) -> None:
    """Derive every receipt of the last evaluation again from what is stored, and name the first broken link.

    Example: eval-pipeline verify
    """
    from eval_pipeline.cli.commands.verify import verify_receipts

    verify_receipts(home=home, as_json=json)


@app.command()
def doctor(
    home: Home = None,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what is safe to mend.")] = False,
    json: AsJson = False,
) -> None:
    """Say what is wrong with the project folder, the environment or the ledger, and how to mend it.

    Example: eval-pipeline doctor --repair
    """
    from eval_pipeline.cli.commands.doctor import run_doctor

    run_doctor(home=home, repair=repair, as_json=json)


@app.command()
def up(
    home: Home = None,
    port: Annotated[int, typer.Option(help="Port of the Dagster UI on 127.0.0.1.")] = 3000,
    review_port: Annotated[int, typer.Option(help="Port of the review pages on 127.0.0.1.")] = 3001,
) -> None:
    """Start the Dagster UI, its daemon and the review pages on the project folder; stop them with Ctrl-C.

    Example: eval-pipeline up --port 3000
    """
    from eval_pipeline.cli.commands.up import start_up

    start_up(home=home, port=port, review_port=review_port)


@app.command()
def compare(
    *,
    sides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[VARIANT]...",
            help="VARIANT, VARIANT:ARENA or VARIANT@EVALUATION; default: every variant that is no control.",
            show_default=False,
        ),
    ] = None,
    home: Home = None,
    contract: Annotated[
        str | None, typer.Option(help="Task name of a contract; needed where there are several.")
    ] = None,
    measure: Annotated[str | None, typer.Option(help="Measure; default: sufficient@1.")] = None,
    arena: Annotated[str | None, typer.Option(help="Arena; default: siblings.")] = None,
    on: Annotated[
        str | None, typer.Option(help="'shared': only questions that every side scores over the same candidates.")
    ] = None,
    listed: Annotated[int, typer.Option("--list", help="Discordant questions to print per direction.")] = 5,
    json: AsJson = False,
) -> None:
    """Compare variants on the same questions: difference, interval, test, discordant questions.

    Refused where denominators differ, with every part that differs.

    Example: eval-pipeline compare image text --contract quarterly-evidence
    """
    from eval_pipeline.cli.commands.compare import compare_variants

    compare_variants(
        home=home, sides=sides or (), contract=contract, measure=measure, arena=arena, on=on, n_listed=listed,
        as_json=json,
    )  # fmt: skip


@app.command()
def power(
    *,
    home: Home = None,
    contract: Annotated[
        str | None, typer.Option(help="Task name of a contract; needed where there are several.")
    ] = None,
    measure: Annotated[str | None, typer.Option(help="Measure; default: sufficient@1.")] = None,
    arena: Annotated[str | None, typer.Option(help="Arena; default: siblings.")] = None,
    difference: Annotated[float, typer.Option(help="Difference that should be seen.")] = 0.1,
    discordance: Annotated[
        float | None, typer.Option(help="Share of questions on which a pair differs; default: what was found.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say what the questions of a contract can tell apart, how many would be needed, and which slices are too small.

    Example: eval-pipeline power --contract quarterly-evidence --difference 0.1
    """
    from eval_pipeline.cli.commands.power import show_power

    show_power(
        home=home, contract=contract, measure=measure, arena=arena, difference=difference, discordance=discordance,
        as_json=json,
    )  # fmt: skip


@app.command()
def validate(
    quick: Annotated[bool, typer.Option("--quick", help="100 simulated sets a line instead of 1,000.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 0,
    picture: Annotated[Path | None, typer.Option(help="Draw the first table as SVG here as well.")] = None,
    json: AsJson = False,
) -> None:
    """Prove by simulation that the figures mean what they say: connection, coverage, error rate, audit.

    Example: eval-pipeline validate --picture connection.svg
    """
    from eval_pipeline.cli.commands.validate import run_validation

    run_validation(is_quick=quick, seed=seed, picture=picture, as_json=json)


def main() -> None:
    """Run the command line; exit code 0, 1 our fault, 2 the user's input, 3 a gate failed."""
    try:
        app()
    except EvalPipelineError as error:
        say_error(str(error))
        sys.exit(error.exit_code)
