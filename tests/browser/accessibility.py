"""What axe-core finds wrong with what a page shows, and the sizes of windows in which it is looked for."""

from __future__ import annotations

from tests.browser.browser import Page

SIZES = ((1440, 900), (390, 844))
RUN = """
axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map((violation) =>
  `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 200)).join(' ')}`))
"""


def resize(page: Page, width: int, height: int) -> None:
    """Make the window of *page* another size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)


def violations(page: Page, axe: str) -> list[str]:
    """Return what is wrong with what *page* shows, and whether it is wider than the window."""
    if not page.tell("Boolean(globalThis.axe)"):
        page.tell(f"{axe}; 0")
    widest = "Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)"
    wide = page.tell(f"{widest} > innerWidth")
    return [*page.tell(RUN), *(["wider than the window"] if wide else [])]
