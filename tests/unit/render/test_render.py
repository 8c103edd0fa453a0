"""What a model is shown of a node holds nothing that nobody sees."""

from __future__ import annotations

from autology.model.node import Node, NodeType, Relation, RelationType
from autology.render import nodes

ID = "3f2a91c0-1111-4222-8333-444455556666"


def a_node(content: str, title: str = "Plain") -> Node:
    relations = (Relation(RelationType.USES, ID, description="why\u202e not"),)
    return Node(
        ID, NodeType.CONCEPT, title, content, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", relations=relations
    )


def test_hidden_characters_are_left_out_and_said_so() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    shown = nodes.node(a_node(f"seen\x1b[31m{hidden} \u202ereversed", "One\nline\x9b"))
    assert shown["content"] == "seen reversed"
    assert shown["title"] == "One line"
    assert shown["relations"][0]["description"] == "why not"
    assert shown["hidden_characters"].endswith(f"{ID}.md contains them")


def test_ordinary_text_of_any_script_stays_to_the_letter() -> None:
    content = "tabs\tand\n\nlines  \n    code\n日本語 हिन्दी العربية עברית 👩‍💻 e\u0301"
    shown = nodes.node(a_node(content))
    assert shown["content"] == content
    assert "hidden_characters" not in shown
