"""Splits are drawn by hash: about the share, and stable as questions are added."""

from dataclasses import dataclass

from eval_pipeline.tasks.splits import assign_splits


@dataclass(frozen=True)
class Share:
    share: float
    seed: int


def test_a_split_draws_about_its_share_and_the_rest_is_seen():
    drawn = assign_splits([f"qst_{n}" for n in range(2000)], {"held_out": Share(0.3, 3)})
    share = (drawn["split"] == "held_out").mean()
    assert 0.26 < share < 0.34
    assert set(drawn["split"]) == {"held_out", "seen"}


def test_adding_questions_moves_none():
    splits = {"held_out": Share(0.3, 3), "shifted": Share(0.5, 4)}
    few = assign_splits(["a", "b", "c"], splits)
    many = assign_splits(["a", "b", "c", "d"], splits)
    assert many.head(3).equals(few)
    assert assign_splits([], splits).height == 0
