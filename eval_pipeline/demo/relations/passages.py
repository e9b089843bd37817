"""Short passages on six towns: each states one thing; some say it in other words, some are reprints.

A question asks for one thing about one town. The other passages on that town are near and do not answer; the one that
says the same in other words answers, and no comparison of words tells so.
"""

from pathlib import Path

from eval_pipeline.demo.relations.placing import Draw, DrawnSet, place_set, write_lines

TRUTH = "truth/passages.jsonl"
PASSAGES = "corpus/passages.jsonl"
QUESTIONS = "asked/passages.jsonl"
TOWNS = ("Aldersby", "Brockhaven", "Carrick", "Dunmore", "Eastwell", "Fenwick")
PEOPLE = ("Ada Marsh", "Bruno Keel", "Cora Lund", "Dario Venn", "Edda Stone", "Felix Amber", "Gitta Row", "Hugo Pell")
STONES = ("slate", "sandstone", "granite", "limestone", "basalt")
FACTS: dict[str, tuple[str, str, str]] = {
    "ferry": (
        "How often does the ferry of {town} cross in summer?",
        "From May until the end of September the ferry of {town} crosses {number} times a day and carries no cars.",
        "Travellers without a vehicle can count on {number} daily sailings out of {town} harbour in the warm months.",
    ),
    "mayor": (
        "Who is the mayor of {town}?",
        "The council of {town} elected {person} as its mayor last spring, by a majority of two votes.",
        "Since the spring ballot, narrowly decided, {person} has led the local government at {town}.",
    ),
    "library": (
        "How many books does the library of {town} lend?",
        "The public library of {town} lends about {number} thousand books each year from its two reading rooms.",
        "Readers at {town} take home roughly {number},000 volumes annually, two branches taken together.",
    ),
    "quarry": (
        "What was cut in the old quarry of {town}?",
        "The old quarry above {town} was worked for {stone} until the railway to the coast was closed.",
        "While trains still ran to the sea, {stone} left the pits on the hill behind {town} by the wagonload.",
    ),
    "bridge": (
        "When was the bridge of {town} built?",
        "A bridge of three arches has crossed the river at {town} since {year}; before that there was a ford.",
        "Until {year} one waded the stream at {town}; then masons put up the crossing that still stands.",
    ),
}
REPRINTED = ("ferry", "bridge")
MORE = " The notice hangs in the town hall."


def draw_passages(*, home: Path, seed: int) -> DrawnSet:
    """Draw 72 passages and 30 questions: `corpus/passages.jsonl`, `asked/passages.jsonl`.

    For each town five statements, five in other words, and two reprints with a sentence more. The truth names, for each
    passage, the fact that it states; a question has the id of the passage it was written from.

    Args:
        home: folder; made where it is missing.
        seed: of names and numbers.
    """
    told: list[dict[str, object]] = []
    asked: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for town in TOWNS:
        for fact, (question, plain, other) in FACTS.items():
            words = _words(Draw(seed=seed, name=f"{town} {fact}"), town)
            made = {"plain": plain.format(**words), "other": other.format(**words)}
            if fact in REPRINTED:
                made["reprint"] = made["plain"] + MORE
            for form, text in made.items():
                name = f"{town.lower()}-{fact}-{form}"
                told.append({"passage": name, "topic": town, "text": text})
                rows.append({"passage": name, "fact": f"{town} {fact}", "form": form})
            gold = f"{town.lower()}-{fact}-plain"
            asked.append({"question": question.format(**words), "gold": gold})
    files = {PASSAGES: write_lines(told), QUESTIONS: write_lines(asked)}
    return place_set(home=home, files=files, truth=TRUTH, rows=rows)


def _words(draw: Draw, town: str) -> dict[str, str]:
    return {
        "town": town,
        "number": str(draw.between("number", 3, 48)),
        "person": draw.pick("person", PEOPLE),
        "stone": draw.pick("stone", STONES),
        "year": str(draw.between("year", 1702, 1931)),
    }
