"""What a page is to a question."""

from eval_pipeline.receipts.trace_roles import roles_of


class Stored:
    """Rows by table; every other table is empty."""

    def __init__(self, **tables):
        self._tables = {name.replace("__", "."): rows for name, rows in tables.items()}

    def rows(self, table, column, values):
        wanted = set(values)
        return [row for row in self._tables.get(table, []) if row[column] in wanted]


def a_candidate(unit_id, source, rank=None):
    return {"question_id": "qu_1", "unit_id": unit_id, "source": source, "rank": rank}


STORED = Stored(
    questions__question_gold=[{"question_id": "qu_1", "unit_id": "unit_g", "position": 1}],
    questions__well_posedness=[{"question_id": "qu_1", "pool_id": "pool_1"}],
    negatives__negative=[
        {"pool_id": "pool_1", "negative_unit_id": "unit_b", "axis": "period", "rank": 1},
        {"pool_id": "pool_1", "negative_unit_id": "unit_a", "axis": "entity", "rank": 2},
    ],
    labels__candidate=[
        a_candidate("unit_g", "gold"),
        a_candidate("unit_g", "variant:image", 1),
        a_candidate("unit_b", "negative:period", 1),
        a_candidate("unit_b", "variant:text", 1),
        a_candidate("unit_c", "variant:text", 10),
        a_candidate("unit_c", "variant:image", 9),
        a_candidate("unit_d", "random", 1),
        a_candidate("unit_e", "variant:text", 2),
    ],
)


def test_gold_then_negatives_by_axis_and_rank_then_what_came_back_then_random_pages():
    roles = roles_of(STORED, "qu_1")
    ordered = sorted(roles, key=lambda unit_id: roles[unit_id].order)
    assert [(unit_id, roles[unit_id].told) for unit_id in ordered] == [
        ("unit_g", "gold"),
        ("unit_a", "hard negative on entity, rank 2"),
        ("unit_b", "hard negative on period, rank 1"),
        ("unit_e", "place 2 of text"),
        ("unit_c", "place 9 of image"),
        ("unit_d", "random page"),
    ]


def test_a_question_that_met_no_page_has_no_roles():
    assert roles_of(Stored(), "qu_1") == {}
