import pytest

from eval_pipeline.demo.world import CONSOLIDATED, QUARTERS, SEGMENT_METRICS, Quarter, World
from eval_pipeline.foundation.errors import InputError


def test_quarter_spellings():
    quarter = Quarter(year=2024, number=2)
    assert (quarter.name, quarter.short, quarter.end) == ("2024-Q2", "Q2 2024", "June 30, 2024")
    assert quarter.line == "Three months ended June 30, 2024"
    assert quarter.back(2) == Quarter(year=2023, number=4)
    assert quarter.back(-3) == Quarter(year=2025, number=1)


def test_totals_are_sums_of_segments(world):
    company = world.company(0)
    for metric in ("Revenue", *SEGMENT_METRICS):
        parts = [world.figure(company, metric, segment, QUARTERS[5]) for segment in company.segments]
        assert world.figure(company, metric, CONSOLIDATED, QUARTERS[5]) == sum(parts)
        assert min(parts) > 0


def test_worlds_of_one_seed_agree_and_of_two_seeds_differ(world):
    same, other = World(seed=world.seed), World(seed=world.seed + 1)
    assert same.company(4) == world.company(4)
    assert [other.company(number).name for number in range(6)] != [world.company(number).name for number in range(6)]


def test_companies_have_a_look_of_their_own_and_three_share_a_house_style(world):
    companies = [world.company(number) for number in range(9)]
    assert len({company.name for company in companies}) == 9
    assert len({company.palette for company in companies[:3]}) == 3
    assert len({company.ticker for company in companies[:3]}) == 3
    assert [company.style for company in companies] == ["band"] * 3 + ["rule"] * 3 + ["deck"] * 3


def test_more_companies_than_names_is_an_error_that_says_so(world):
    assert world.company(719).name
    with pytest.raises(InputError, match="720 companies"):
        world.company(720)
