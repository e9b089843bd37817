"""Transcripts of three made-up council meetings, cut into intervals, and where each question is answered.

An item of the agenda takes several sentences; a question asks for what one of them says. Some decisions are read out
again at the end, so that two intervals of one recording answer.
"""

from pathlib import Path

from eval_pipeline.demo.relations.placing import Draw, DrawnSet, place_set, write_lines

TRUTH = "truth/recordings.jsonl"
INTERVALS = "corpus/recordings.jsonl"
QUESTIONS = "asked/recordings.jsonl"
MEETINGS = ("spring-meeting", "summer-meeting", "autumn-meeting")
PLACES = ("the market square", "the swimming hall", "the north school", "the tram depot", "the river path")
ITEM = (
    "We come to {place}, the next item on the agenda.",
    "The works office has walked over {place} and reports cracks in the paving.",
    "The offer for {place} stands at {sum} thousand crowns, fees included.",
    "Someone from the gallery asks how long {place} will be closed.",
    "The council votes on {place}: {yes} in favour, {no} against.",
)
ANSWER, ASKED = 4, "With how many votes in favour did the {meeting} decide on {place}?"
AGAIN = "To read it out once more, {place} passed with {yes} in favour and {no} against."
N_REPEATED = 2


def draw_recordings(*, home: Path, seed: int) -> DrawnSet:
    """Draw about 160 intervals and 15 questions: `corpus/recordings.jsonl`, `asked/recordings.jsonl`.

    The intervals of a recording are its sentences and every two neighbouring ones together, so that neighbours overlap
    by all degrees. Times are whole tenths of a second. A question comes with the bounds it was written from; the truth
    lists all bounds that answer it.

    Args:
        home: folder; made where it is missing.
        seed: of sums, votes and lengths.
    """
    told: list[dict[str, object]] = []
    asked: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for meeting in MEETINGS:
        draw = Draw(seed=seed, name=meeting)
        said, answers = _speak(draw)
        bounds = _time(draw, said)
        told += _cut(meeting, said, bounds)
        for place, spoken in answers.items():
            question = ASKED.format(meeting=meeting.replace("-", " "), place=place)
            start, end = bounds[spoken[0]]
            asked.append({"question": question, "media": meeting, "start_s": start, "end_s": end})
            rows.append({"question": question, "media": meeting, "answers": [list(bounds[line]) for line in spoken]})
    files = {INTERVALS: write_lines(told), QUESTIONS: write_lines(asked)}
    return place_set(home=home, files=files, truth=TRUTH, rows=rows)


def _speak(draw: Draw) -> tuple[list[str], dict[str, list[int]]]:
    """Sentences of a meeting, and the numbers of those that answer for each place."""
    said: list[str] = []
    answers: dict[str, list[int]] = {}
    again: list[tuple[str, str]] = []
    for number, place in enumerate(PLACES):
        words = {
            "place": place,
            "sum": str(draw.between(f"{place} sum", 12, 96)),
            "yes": str(draw.between(f"{place} yes", 11, 20)),
            "no": str(draw.between(f"{place} no", 1, 9)),
        }
        answers[place] = [len(said) + ANSWER]
        said += [sentence.format(**words) for sentence in ITEM]
        if number < N_REPEATED:
            again.append((place, AGAIN.format(**words)))
    for place, sentence in again:
        answers[place].append(len(said))
        said.append(sentence)
    return said, answers


def _time(draw: Draw, said: list[str]) -> list[tuple[float, float]]:
    """Start and end of each sentence in seconds."""
    bounds, now = [], 20
    for line in range(len(said)):
        length = draw.between(f"length {line}", 28, 74)
        bounds.append((now / 10, (now + length) / 10))
        now += length
    return bounds


def _cut(meeting: str, said: list[str], bounds: list[tuple[float, float]]) -> list[dict[str, object]]:
    cut: list[dict[str, object]] = []
    for n_lines in (1, 2):
        for line in range(len(said) - n_lines + 1):
            start, end = bounds[line][0], bounds[line + n_lines - 1][1]
            cut.append(
                {"media": meeting, "start_s": start, "end_s": end, "text": " ".join(said[line : line + n_lines])}
            )
    return cut
