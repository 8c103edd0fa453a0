"""The processor time of server and browser until the graph is visible on the page, and per frame.

The browser is a real one without a graphics card: what is drawn is drawn by the processor.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from tests.browser.browser import Browser, Page  # noqa: E402
from tests.browser.projects import large  # noqa: E402

SIZES = (1_000, 5_000, 10_000)
BUDGETS = {1_000: 1_000.0, 5_000: 3_000.0, 10_000: 3_000.0}
"""Milliseconds until the graph is seen, of server and page together."""
RUNS = 3
FRAMES = """
(async () => {
  const {canvas} = picture
  const costs = []
  for (let turn = 0; turn < 24; turn++) {
    if (turn % 3) canvas.pan(7, 4)
    else canvas.zoom(turn % 2 ? 1.15 : 1 / 1.15)
    await new Promise((done) => setTimeout(done, 40))
    costs.push(canvas.frameTime)
  }
  await new Promise((done) => setTimeout(done, 400))
  const resting = canvas.frameTime
  const frame = async (change) => {
    change()
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    return canvas.frameTime
  }
  const hovering = [], zooming = []
  for (let turn = 0; turn < 8; turn++) {
    hovering.push(await frame(() => canvas.hover(canvas.order[turn])))
    zooming.push(await frame(() => canvas.zoom(turn % 2 ? 1.15 : 1 / 1.15)))
    await new Promise((done) => setTimeout(done, 400))
  }
  canvas.hover(-1)
  const middle = (values) => values.sort((one, other) => one - other)[values.length >> 1]
  return [middle(costs), resting, middle(hovering), middle(zooming)]
})()
"""


def main() -> int:
    late = 0
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as folder:
        browser = Browser(Path(folder) / "browser")
        try:
            for size in SIZES:
                late += measured(browser, Path(folder), size)
        finally:
            browser.close()
    return 1 if late else 0


def measured(browser: Browser, folder: Path, size: int) -> bool:
    root = folder / f"project-{size}"
    root.mkdir()
    large(root, size)
    seen = [run(browser, folder, root) for _ in range(RUNS)]
    server, page, moving, resting, hovering, zooming = (statistics.median(column) for column in zip(*seen, strict=True))
    print(
        f"{size:>6,} nodes: server {server:,.0f} ms, page {page:,.0f} ms until it is seen, of {BUDGETS[size]:,.0f};"
        f" a frame {moving:.0f} ms in motion, {resting:.0f} ms at rest, {hovering:.0f} ms when a note is hovered,"
        f" {zooming:.0f} ms for the first zoom after it"
    )
    return server + page > BUDGETS[size]


def run(browser: Browser, folder: Path, root: Path) -> tuple[float, ...]:
    """Return the milliseconds of server and page until the graph is seen, and of the four kinds of frames."""
    places = {"AUTOLOGY_CACHE_DIR": folder / "cache", "AUTOLOGY_DATA_DIR": folder / "data", "HOME": folder / "home"}
    environment = {
        **os.environ,
        **{name: str(place) for name, place in places.items()},
        "PYTHONPATH": str(ROOT / "server"),
    }
    command = [sys.executable, "-m", "autology", "web", "--no-open", "--json", "--project", str(root)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout as said:
        url = json.loads(said.readline())["url"]
    page = browser.page("about:blank")
    page.call("Performance.enable", {"timeDomain": "threadTicks"})
    page.go(url)
    page.until("globalThis.picture?.canvas.frameCount", seconds=120)
    spent = script(page)
    server = processor(process.pid)
    page.until("document.querySelector('.graph').dataset.settled === 'yes'", seconds=120)
    frames = page.tell(FRAMES)
    page.close()
    process.send_signal(signal.SIGINT)
    process.wait(20)
    return server, spent, *frames


def script(page: Page) -> float:
    """Return the milliseconds of processor time that the page's own thread has taken."""
    told = {each["name"]: each["value"] for each in page.call("Performance.getMetrics")["metrics"]}
    return float(1_000 * told["TaskDuration"])


def processor(pid: int) -> float:
    """Return the milliseconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return 1_000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
