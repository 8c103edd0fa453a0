"""A markdown text parsed once: its prose and its sections."""

from __future__ import annotations

from dataclasses import dataclass

from autology.text.markdown.blocks import without_blocks
from autology.text.markdown.sections import Section, sections


@dataclass(frozen=True, slots=True)
class Page:
    """A *text*, the same with code and comments blanked (*prose*), and its sections, all with the same offsets."""

    text: str
    prose: str
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, text: str) -> Page:
        """Return *text* parsed."""
        prose = without_blocks(text)
        return cls(text, prose, sections(text, prose))

    def behind(self, at: int) -> Page:
        """Return the text after *at*, where a section's body begins or the page itself."""
        offsets = (
            Section(section.level, section.title, section.start - at, section.body - at, section.stop - at)
            for section in self.sections
            if section.start >= at
        )
        return Page(self.text[at:], self.prose[at:], tuple(offsets)) if at else self
