import pytest

from eval_pipeline.corpus.access import AccessRules
from eval_pipeline.foundation.config import AccessConfig

RULES = AccessRules(AccessConfig(column="access", group_column="groups", groups=("finance", "legal")))


@pytest.mark.parametrize(
    ("values", "level", "groups", "reason"),
    [
        ({}, "internal", (), None),
        ({"access": "public"}, "public", (), None),
        ({"access": " Restricted "}, "restricted", (), None),
        ({"access": "secret"}, "restricted", (), "unknown access level"),
        ({"access": "public", "groups": "legal; finance;"}, "public", ("finance", "legal"), None),
        ({"access": "public", "groups": "sales"}, "restricted", ("sales",), "unknown access group"),
    ],
)
def test_read_gives(values: dict[str, str], level: str, groups: tuple[str, ...], reason: str | None) -> None:
    access = RULES.read(values)
    assert (access.level, access.groups) == (level, groups)
    assert (access.fault.reason if access.fault else None) == reason
    assert access.is_given is bool(values)


def test_combine_takes_the_most_restricted_level_and_every_group() -> None:
    public = RULES.read({"access": "public", "groups": "legal"})
    restricted = RULES.read({"access": "restricted", "groups": "finance"})
    combined = RULES.combine([public, restricted])
    assert (combined.level, combined.groups) == ("restricted", ("finance", "legal"))
    assert RULES.combine([restricted, public]) == combined
    assert RULES.combine([]).level == "internal"
