"""Whose page it is."""

import pytest

from eval_pipeline.judging.names import find_name
from eval_pipeline.judging.page_reading import read_page

PEER = (
    "\n" * 3
    + "Beta Corp.\nQuarterly report\nRevenue 5\n"
    + "Costs 1\n" * 12
    + "We compete with Acme and with others.\n"
    + "Costs 2\n" * 4
)


@pytest.mark.parametrize(
    ("entity", "text", "expected"),
    [
        ("Amazon", "Table of Contents\nAMAZON.COM, INC.\nRevenue 5", "subject"),
        ("Foot Locker", "FOOTLOCKER\nRevenue 5", "subject"),
        ("FootLocker", "Foot Locker, Inc.\nRevenue 5", "subject"),
        ("McDonald", "McDonald's Corporation\nRevenue 5", "subject"),
        ("Acme", "Peers\nCompany Revenue\nAcme 5\nBeta 6", "subject"),
        ("Acme", PEER, "other"),
        ("Acme", PEER.replace("Beta Corp.", "Review"), "body"),
        ("Acme", "Beta Industries Quarterly report\nRevenue 5", "other"),
        (
            "Microsoft",
            "PART II\nItem 8\nBALANCE SHEETS\n(In millions)\nJune 30, 2023 2022\nTotal assets 5 6",
            "unnamed",
        ),
        ("Acme", "Acmeville Ltd\nRevenue 5", "other"),
    ],
)
def test_find_name(entity: str, text: str, expected: str) -> None:
    assert find_name(entity, read_page(text)) == expected
