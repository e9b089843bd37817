"""How numbers, reasons and names are spelled: a value is a number or its reason, never an empty place."""

from eval_pipeline.tasks.measure_names import parse_measure_name

_REASONS = {
    "no_gold": "no gold unit",
    "no_relevant": "no sufficient unit among the candidates",
    "waiting": "still waits for its judge",
    "question_not_run": "question not run",
    "tied": "undefined on tied scores",
    "too_few_clusters": "fewer than 50 clusters",
    "no_questions": "no questions",
    "pool_too_small": "too few hard negatives left",
    "constant": "all values are equal",
    "answerable": "answerable from another page",
    "well_posed": "well posed, so asked in the main set instead",
    "gold_fails": "gold does not answer its own question",
    "gold fails": "gold does not answer its own question",
    "no_eligible_evidence": "no page that the asker may see",
}

_FUNNEL = {
    "written": "written from pages",
    "imported": "imported from people",
    "tickets": "from tickets",
    "no_gold": "without a gold page",
    "gold_fails": "gold does not answer its own question",
    "answerable": "answerable from a distractor",
    "qualified": "qualified and asked anew",
    "unresolved": "unresolved: the judge abstained",
    "waiting": "waiting for a verdict",
    "well_posed": "well posed",
    "vacuous": "well posed, but without hard negatives",
    "under_specified": "in the under-specified slice",
    "promoted": "kept, the answering page promoted to sufficient",
    "dropped": "dropped: still answerable after qualifying",
    "main": "in the main set",
    "regression": "in the regression set",
    "not_posed": "not judged yet",
}

_MEASURES = {
    "top": "gold page in the first {k}",
    "sufficient": "a page that suffices in the first {k}",
    "acceptable": "an acceptable page in the first {k}",
    "supporting": "a page that supports in the first {k}",
    "supporting_only": "only a page that supports in the first {k}",
    "neither": "neither in the first {k}",
}

_AUTHORS = {
    "human": "person",
    "developer": "developer",
    "generator-truth": "stand-in reviewer (generator-truth)",
    "ticket": "ticket",
    "import": "import",
    "judge": "model judge",
    "unjudged": "no label",
}


def write_number(value: float) -> str:
    """Two decimals; a number that is not 0 or 1 is never printed as 0.00 or 1.00.

    >>> [write_number(value) for value in (0.4251, 1.0, 0.9983, 0.99999, 0.00001)]
    ['0.43', '1.00', '0.998', '>0.999', '<0.001']
    """
    text = f"{value:.2f}"
    if text not in ("0.00", "1.00") or value in (0.0, 1.0):
        return text
    if 0.0 < value < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= value < 1.0 else f"{value:.3f}"


def write_percent(value: float) -> str:
    """Whole percent; a share that is not 0 or 1 is never printed as 0% or 100%.

    Set close, so that no line breaks before the sign and a copy holds plain characters.

    >>> [write_percent(value) for value in (0.31, 0.004, 0.999, 1.0)]
    ['31%', 'under 1%', 'over 99%', '100%']
    """
    text = f"{100.0 * value:.0f}%"
    if text == "0%" and value > 0.0:
        return "under 1%"
    return "over 99%" if text == "100%" and value < 1.0 else text


def write_count(n: int, noun: str) -> str:
    """`1 question`, `195 questions`, `1,087 pages`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def explain_reason(reason: str) -> str:
    """A stored reason in words."""
    return _REASONS.get(reason, reason.replace("_", " "))


def explain_author(kind: str) -> str:
    """Who labelled, in words; a stand-in reviewer is never called a person."""
    return _AUTHORS.get(kind, kind)


def explain_funnel(word: str) -> str:
    """A word of the funnel in words; one that is not known is printed as it is."""
    if word.startswith("answerable_axis="):
        return f"of these, on axis {word.partition('=')[2]}"
    return _FUNNEL.get(word, word.replace("_", " "))


def explain_measure(measure: str) -> str:
    """A measure in words."""
    name = parse_measure_name(measure)
    return _MEASURES.get(name.kind, measure).format(k="place" if name.cut == 1 else name.cut)


def join_words(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
