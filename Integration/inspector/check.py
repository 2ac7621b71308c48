"""Drives the inspector's page in headless Chromium at desktop and phone width, light and dark, and takes screenshots.

    python3 Integration/inspector/check.py [--swift PROGRAM] [FOLDER]

With `--swift`, PROGRAM is `inspected` of the Integration package: the page is then served by the Swift inspector. Otherwise by server.py.

Needs the package `playwright` (PyPI) and an installed Chromium (`CHROMIUM`, by default /usr/bin/chromium). Opens connections to loopback only.
"""

import faulthandler
import os
import pathlib
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

import checks_basic
import checks_files
import checks_live
import checks_security
import checks_swift
import fixtures
import server
import swift_inspector

WIDTHS = {"desktop": (1280, 800), "phone": (390, 844)}


class Session:
    """A page on its own inspector. It collects messages of the console, dialogs and requests, which must not leave loopback."""

    def __init__(self, browser, size, scheme, folder, program=None, **options):
        self.size, self.scheme, self.folder, self.is_phone = size, scheme, folder, size == "phone"
        self.inspector = swift_inspector.Inspector(program, **options) if program else server.Inspector(**options)
        self.problems, self.requests = [], []
        self.context = browser.new_context(
            viewport=dict(zip(("width", "height"), WIDTHS[size])), color_scheme=scheme, has_touch=self.is_phone, accept_downloads=True,
            device_scale_factor=2 if self.is_phone else 1, permissions=["clipboard-read", "clipboard-write"],
        )
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.context.set_default_timeout(5000)
        self.page = self.context.new_page()
        self.watch(self.page)

    def watch(self, page):
        page.on("console", lambda message: self.problems.append(f"console: {message.text}") if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def open_swift(self):
        """Opens the page of the Swift inspector."""
        self.inspector.start()
        self.page.goto(self.inspector.url)
        self.page.wait_for_selector("#connection:not(.connection-connecting)")
        return self.page

    def open(self, calls=None):
        for call in fixtures.all_calls() if calls is None else calls:
            self.inspector.put(call)
        self.inspector.start()
        self.page.goto(self.inspector.url)
        self.page.wait_for_selector("#connection:not(.connection-connecting)")
        return self.page

    def row(self, name):
        return self.page.locator(f".row:has(.row-title:text-is('{name}'))")

    def select(self, name):
        """Opens a call, through the search, because the list only contains the visible rows."""
        if self.is_phone and self.page.locator("#detail").is_visible():
            self.page.locator(".back").click()
        self.page.fill("#search", f'"{name}"')
        self.row(name).first.click()
        self.page.wait_for_selector(f"#detail h2:text-is('{name}')")
        if not self.is_phone:
            self.page.fill("#search", "")
        self.page.wait_for_timeout(150)

    def tab(self, name):
        self.page.click(f"#tab-{name}")

    def shot(self, name):
        self.page.wait_for_timeout(120)
        self.page.screenshot(path=self.folder / f"{name}-{self.size}-{self.scheme}.png")

    def close(self):
        foreign = [url for url in self.requests if not url.startswith((f"http://127.0.0.1:{self.inspector.port}/", "blob:http://127.0.0.1", "data:"))]
        self.context.close()
        self.inspector.stop()
        assert not foreign, f"requests that left the inspector: {foreign[:3]}"
        assert not self.problems, f"messages of the browser: {self.problems[:3]}"


def main():
    arguments = sys.argv[1:]
    program = arguments.pop(arguments.index("--swift") + 1) if "--swift" in arguments else None
    arguments = [argument for argument in arguments if argument != "--swift"]
    modules = (checks_swift,) if program else (checks_basic, checks_live, checks_files, checks_security)
    folder = pathlib.Path(arguments[0] if arguments else tempfile.mkdtemp(prefix="inspector-"))
    folder.mkdir(parents=True, exist_ok=True)
    only = os.environ.get("ONLY", "")
    failures, count, began = [], 0, time.time()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for size in WIDTHS:
            for scheme in ("light", "dark"):
                for module in modules:
                    for name, check in vars(module).items():
                        if not name.startswith("check_") or only not in name or (scheme == "dark" and getattr(check, "is_for_one_scheme", False)):
                            continue
                        count += 1
                        faulthandler.dump_traceback_later(60, exit=True)
                        session = Session(browser, size, scheme, folder, program, **getattr(check, "options", {}))
                        try:
                            try:
                                check(session)
                            except BaseException:
                                session.shot(f"failed-{name}")
                                raise
                            finally:
                                session.close()
                        except Exception:
                            failures.append((size, scheme, name))
                            print(f"FAILED {name} ({size}, {scheme})\n{traceback.format_exc(limit=-3)}", flush=True)
        browser.close()
    print(f"{count - len(failures)} of {count} checks passed in {time.time() - began:.0f} s; screenshots in {folder}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
