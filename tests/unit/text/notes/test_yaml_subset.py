"""What is read directly says the same as PyYAML does, in the forms that others write too."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from autology.text.notes import yaml_subset

LETTERS = st.text(st.sampled_from("ab1 '\"#:-,[]{}\\~é\t"), max_size=12)


@given(LETTERS)
@example("a''b")
@example("a'b")
@example("a' # 'b")
@example("a'' # b")
@example(" ")
@example("''")
@example("true")
def test_single_quotes_mean_what_they_mean_in_yaml(inner: str) -> None:
    text = f"title: '{inner}'\n"
    try:
        content = yaml.load(text, Loader=yaml.BaseLoader)["title"]
    except yaml.YAMLError:
        with pytest.raises(yaml_subset.YamlError):
            yaml_subset.load_mapping(text)
        return
    assert yaml_subset.load_mapping(text) == {"title": content}


@given(LETTERS)
def test_quoted_yaml_strings_are_read_unchanged(text: str) -> None:
    assert yaml_subset.load_mapping(yaml.safe_dump({"title": text}, default_style="'", width=1_000)) == {"title": text}


def test_a_quoted_timestamp_is_read_by_the_subset_reader() -> None:
    assert yaml_subset._read_subset("created: '2026-01-01T00:00:00Z'") == {"created": "2026-01-01T00:00:00Z"}
