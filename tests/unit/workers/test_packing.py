"""What a worker made arrives as it was made."""

from __future__ import annotations

import pickle
import re
from collections import OrderedDict
from dataclasses import dataclass, field

from autology.core.content.files import Stamp
from autology.index.writing import PreparedPassage
from autology.model.entry import Entry, Link
from autology.model.node import NodeType
from autology.workers.packing import packed


@dataclass(frozen=True, slots=True)
class Checked:
    """Its constructor does more than take its fields."""

    one: int
    other: int
    total: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.one + self.other)


def test_what_is_packed_is_unpickled_as_it_was() -> None:
    link = Link("affects", "3f2a91c0", description="why — so")
    entry = Entry("3f2a91c0", "node", "decision", "Title", "", "", tags=("a", "b"), links=(link, link))
    passage = PreparedPassage((0, 5, None), {"title": 1}, 2, b"\1\2")
    made = [entry, link, Stamp(1, 2), passage, NodeType.DECISION, OrderedDict(a=1), re.compile("x"), ..., None]
    assert pickle.loads(packed(made)) == made
    assert [type(thing) for thing in pickle.loads(packed(made))] == [type(thing) for thing in made]


def test_a_class_whose_constructor_does_not_take_its_fields_is_pickled_as_usual() -> None:
    assert pickle.loads(packed(Checked(1, 2))) == Checked(1, 2)


def test_what_is_shared_in_a_job_is_shared_afterwards() -> None:
    stamp = Stamp(1, 2)
    one, other = pickle.loads(packed([stamp, stamp]))
    assert one is other
