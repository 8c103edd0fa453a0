"""A real browser without a window, driven over a pipe by its own debugging protocol."""

from __future__ import annotations

import base64
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from buildtools import programs
from buildtools.project import Project

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
"""Seconds that a page may take for anything: what is right takes a fraction of one."""
# The protocol is spoken over the descriptors 3 and 4: nothing listens, nobody else can come in.
_HANDED_OVER = """
import fcntl, os, sys
takes, gives = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(takes, 3)
os.dup2(gives, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""
KEYS = {
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    "Tab": (9, ""),
    "ArrowDown": (40, ""),
    "ArrowUp": (38, ""),
    "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""),
}


class BrowserError(AssertionError):
    """The page or the browser did not do what was asked."""


class Browser:
    """One browser with a profile of its own in *folder*."""

    def __init__(self, folder: Path) -> None:
        takes, tell = os.pipe()
        hear, gives = os.pipe()
        flags = [
            *("--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"),
            *(
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-default-apps",
            ),
            *("--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", f"--user-data-dir={folder}"),
            *("--disable-extensions", "--no-default-browser-check", "--force-color-profile=srgb"),
        ]
        program = os.environ.get("AUTOLOGY_BROWSER") or str(programs.browser(Project.at(ROOT)))
        command = [sys.executable, "-c", _HANDED_OVER, str(takes), str(gives), program, *flags]
        self._process = subprocess.Popen(
            command, pass_fds=(takes, gives), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(takes)
        os.close(gives)
        self._tell, self._hear = os.fdopen(tell, "wb", 0), os.fdopen(hear, "rb", 0)
        self._answers: dict[int, queue.Queue[Json]] = {}
        self.pages: dict[str, Page] = {}
        self._number = 0
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def page(self, url: str, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """Return a page of its own, without anything that others left, once it is loaded."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        return self.tab(context, url, width, height, dark)

    def tab(self, context: str, url: str, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """Return another page in *context*, which shares what the others in it keep."""
        wanted = {"url": "about:blank", "browserContextId": context, "width": width, "height": height}
        target = self.call("Target.createTarget", wanted)["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        made = self.pages[session] = Page(self, session, context)
        for domain in ("Page", "Runtime", "Network", "Log"):
            made.call(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        made.call("Emulation.setDeviceMetricsOverride", size)
        made.theme(dark)
        made.go(url)
        return made

    def call(self, method: str, given: Json | None = None, session: str | None = None) -> Json:
        """Return what the browser answers."""
        self._number += 1
        number = self._number
        answers = self._answers[number] = queue.Queue()
        message = {"id": number, "method": method, "params": given or {}}
        self._tell.write(json.dumps({**message, "sessionId": session} if session else message).encode() + b"\0")
        try:
            answer = answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise BrowserError(f"{method} was not answered") from None
        finally:
            del self._answers[number]
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        result: Json = answer["result"]
        return result

    def close(self) -> None:
        """End it."""
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            self._process.kill()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(PATIENCE)
        self._tell.close()
        self._listener.join(PATIENCE)
        self._hear.close()

    def _listen(self) -> None:
        held = b""
        while data := self._hear.read(1 << 16):
            *whole, held = (held + data).split(b"\0")
            for each in whole:
                self._heard(json.loads(each))

    def _heard(self, said: Json) -> None:
        if (waiting := self._answers.get(said.get("id", 0))) is not None:
            waiting.put(said)
        elif (page := self.pages.get(said.get("sessionId", ""))) is not None:
            page.heard(said["method"], said["params"])


class Page:
    """A page as a person has it: looked at, typed into, clicked; with what went wrong in it and what it asked for."""

    def __init__(self, browser: Browser, session: str, context: str) -> None:
        self._browser = browser
        self._session = session
        self._context = context
        self.troubles: list[str] = []
        self.requests: list[str] = []

    def tab(self, url: str) -> Page:
        """Return a new tab beside this one."""
        return self._browser.tab(self._context, url)

    def close_tab(self) -> None:
        """Close it alone."""
        self.call("Page.close")

    def call(self, method: str, given: Json | None = None) -> Json:
        """Return what the browser answers of this page."""
        return self._browser.call(method, given, self._session)

    def heard(self, method: str, told: Json) -> None:
        """Take in what happened."""
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.troubles.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.troubles.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")

    def go(self, url: str) -> None:
        """Open *url*."""
        self.call("Page.navigate", {"url": url})
        self.until("document.readyState === 'complete'")

    def reload(self) -> None:
        """Load it again."""
        self.tell("globalThis.before = true")
        self.call("Page.reload")
        self.until("!globalThis.before && document.readyState === 'complete'")

    def theme(self, dark: bool) -> None:
        """Let the system be dark or light."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.call("Emulation.setEmulatedMedia", {"features": features})

    def tell(self, code: str) -> Any:
        """Return the value of *code*, waited for where it is a promise."""
        wanted = {"expression": code, "returnByValue": True, "awaitPromise": True, "userGesture": True}
        done = self.call("Runtime.evaluate", wanted)
        if "exceptionDetails" in done:
            result = done["exceptionDetails"]
            raise BrowserError(f"{code}: {result.get('exception', {}).get('description') or result['text']}")
        return done["result"].get("value")

    def until(self, code: str, seconds: float = PATIENCE) -> Any:
        """Return the value of *code* once it is true of the page."""
        return self._waited(lambda: self.tell(code), code, seconds)

    def sees(self, text: str, seconds: float = PATIENCE) -> None:
        """Wait until *text* can be read on the page."""
        self._waited(lambda: text in self.text(), text, seconds)

    def text(self, selector: str = "body") -> str:
        """Return what can be read in *selector*."""
        return str(self.tell(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def click(self, selector: str, text: str = "") -> None:
        """Click in the middle of what *selector* names, the first that holds *text*, once it stays where it is."""
        spot, former = self._waited(lambda: self._spot(selector, text), f"{selector} {text}", PATIENCE), None
        while spot != former:
            spot, former = self._waited(lambda: self._spot(selector, text), f"{selector} {text}", PATIENCE), spot
        self.click_at(*spot)

    def click_at(self, x: float, y: float) -> None:
        """Click on a spot of the window."""
        self.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
        for what in ("mousePressed", "mouseReleased"):
            one = {"type": what, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", one)

    def choose(self, label: str, value: str) -> None:
        """Choose a value of the list called *label*."""
        hits = f"document.querySelector(\"select[aria-label='{label}']\")"
        self.until(f"[...({hits}?.options ?? [])].some((each) => each.value === {json.dumps(value)})")
        self.tell(f"(list => {{ list.value = {json.dumps(value)}; list.dispatchEvent(new Event('change')) }})({hits})")

    def write(self, text: str) -> None:
        """Type *text* where the caret is."""
        self.call("Input.insertText", {"text": text})

    def press(self, key: str, shift: bool = False, control: bool = False) -> None:
        """Press a key."""
        code, text = KEYS[key] if key in KEYS else (ord(key.upper()), "" if control else key)
        one: Json = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 * shift + 2 * control}
        one |= {"code": key if len(key) > 1 else f"Key{key.upper()}"}
        down = {**one, "type": "keyDown" if text else "rawKeyDown", **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", down)
        self.call("Input.dispatchKeyEvent", {**one, "type": "keyUp"})

    def picture(self, file: Path) -> None:
        """Write what is seen to *file*."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"]))

    def close(self) -> None:
        """Close it with all that it kept."""
        self._browser.call("Target.disposeBrowserContext", {"browserContextId": self._context})

    def _spot(self, selector: str, text: str) -> Any:
        return self.tell(
            f"(() => {{ for (const each of document.querySelectorAll({json.dumps(selector)})) {{"
            f"if (!each.textContent.includes({json.dumps(text)})) continue;"
            "each.scrollIntoView({block: 'nearest'}); const box = each.getBoundingClientRect();"
            "if (box.width && box.height) return [box.x + box.width / 2, box.y + box.height / 2] } return null })()"
        )

    def _waited(self, look: Callable[[], Any], wanted: str, seconds: float) -> Any:
        end = time.monotonic() + seconds
        while (result := look()) in (None, False, 0, ""):
            if time.monotonic() > end:
                raise BrowserError(f"not so after {seconds:g} s: {wanted}; the page says: {self.text()[:1_500]!r}")
            time.sleep(0.03)
        return result
