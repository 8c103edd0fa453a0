"""Draw docs/guide/web.png again, the picture of the page: `python -m tests.browser.guide_picture`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.browser import projects
from tests.browser.browser import ROOT, Browser
from tests.browser.conftest import Served, serve
from tests.conftest import places

FILE = ROOT / "docs" / "guide" / "web.png"
SELECTED = "Order service"


def main() -> None:
    """Take a picture of the graph of a small project with one note selected."""
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "shop", Path(folder) / "home"
        os.environ.update({**places(home), "CLAUDE_CONFIG_DIR": str(home / ".claude")})
        ids = projects.small(root, home)
        process, url = serve(root, home)
        browser = Browser(Path(folder) / "browser")
        try:
            page = browser.page(url, 1280, 760)
            page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
            page.tell(f"picture.show('{ids[SELECTED]}')")
            page.tell("document.activeElement.blur(), picture.canvas.fit()")
            page.tell("new Promise((done) => setTimeout(done, 500))")
            page.picture(FILE)
        finally:
            browser.close()
            Served(root, ids, process, url).end()


if __name__ == "__main__":
    main()
