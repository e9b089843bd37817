"""From a measure's name to the measure."""

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.metrics.measures import (
    acceptable,
    ap,
    judged,
    leak,
    ndcg,
    neither,
    precision,
    recall,
    rr,
    sufficient,
    sufficient_set,
    supporting,
    supporting_only,
    top,
)
from eval_pipeline.metrics.measures.measure import Measure, MeasureKind
from eval_pipeline.tasks.measure_names import parse_measure_name

KINDS: dict[str, MeasureKind] = {
    module.KIND.name: module.KIND
    for module in (
        top,
        sufficient,
        supporting,
        supporting_only,
        neither,
        sufficient_set,
        acceptable,
        ap,
        recall,
        precision,
        rr,
        ndcg,
        judged,
        leak,
    )
}


def parse_measure(text: str) -> Measure:
    """The measure of a ranking with that name; printing it gives the name back.

    Raises:
        UnknownName: no such measure, a wrong cut-off, or a measure of extracted text.
    """
    name = parse_measure_name(text)
    if name.cut is None:
        message = f"{text!r} measures extracted text, not a ranking"
        raise UnknownName(message, name=text)
    return Measure(kind=KINDS[name.kind], cut=name.cut)
