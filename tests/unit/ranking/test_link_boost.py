"""What the best hits are linked with comes further up, or comes in; and costs the others nothing."""

from __future__ import annotations

from autology.model.hit import Candidate, Source
from autology.ranking import link_boost
from autology.ranking.fusion import Ranked
from autology.ranking.link_boost import WeightedLink


def source(id: str) -> Source:
    return Source(id, "concept", id.title(), "active", 1.0, "2026-01-01", "2026-01-01", f"{id}.md")


def hit(id: str, score: float) -> Ranked:
    return Ranked(source(id), score, None, {"words": score})


def near(id: str, cosine: float) -> Candidate:
    return Candidate(source(id), "meaning", cosine, (0, 5), (), cosine)


FOUND = [hit("best", 0.9), hit("other", 0.5), hit("linked", 0.48), hit("last", 0.1)]


def ordered(*found: WeightedLink, more: tuple[Candidate, ...] = ()) -> list[str]:
    result = link_boost.shares(FOUND, found)
    return [each.source.id for each in link_boost.spread(FOUND, result, more)]


def test_without_links_nothing_changes() -> None:
    assert link_boost.spread(FOUND, link_boost.shares(FOUND, []), ()) == FOUND


def test_a_source_linked_to_the_best_hit_ranks_above_equals() -> None:
    for link in (WeightedLink("best", "linked"), WeightedLink("linked", "best")):
        assert ordered(link) == ["best", "linked", "other", "last"]
    assert ordered(WeightedLink("best", "last")) == ["best", "other", "linked", "last"]


def test_a_link_says_the_less_the_more_there_are_and_the_less_sure_it_is() -> None:
    crowd = [WeightedLink("best", "linked"), *(WeightedLink("best", f"n{number}") for number in range(40))]
    assert ordered(*crowd) == ["best", "other", "linked", "last"]
    alone = link_boost.shares(FOUND, [WeightedLink("best", "linked")])["linked"]
    assert link_boost.shares(FOUND, crowd)["linked"] < alone / 3
    assert link_boost.shares(FOUND, [WeightedLink("best", "linked", 0.5)])["linked"] == alone / 2
    assert (
        link_boost.shares(FOUND, [WeightedLink("best", "linked"), WeightedLink("linked", "best", 0.3)])["linked"]
        == alone
    )


def test_a_linked_source_without_match_is_added_only_if_similar_to_the_query() -> None:
    more = (near("akin", link_boost.MIN_LINKED_COSINE + 0.01), near("foreign", link_boost.MIN_LINKED_COSINE - 0.01))
    result = (WeightedLink("best", "akin"), WeightedLink("best", "foreign"))
    assert "akin" in ordered(*result, more=more)
    assert "foreign" not in ordered(*result, more=more)
    results = link_boost.shares(FOUND, result)
    akin = next(each for each in link_boost.spread(FOUND, results, more) if each.source.id == "akin")
    assert akin.parts == {"links": akin.score}
    assert (akin.passage, akin.near) == ((0, 5), link_boost.MIN_LINKED_COSINE + 0.01)


def test_scores_stay_within_one_and_say_what_they_are_made_of() -> None:
    result = [hit(f"h{number}", 1.0 - number / 100) for number in range(9)]
    every = [WeightedLink(one.source.id, other.source.id) for one in result for other in result]
    raised = link_boost.spread(result, link_boost.shares(result, every), ())
    assert [each.source.id for each in raised] == [each.source.id for each in result]
    for each in raised:
        assert 0 <= each.score <= 1
        assert abs(sum(each.parts.values()) - each.score) < 1e-9
