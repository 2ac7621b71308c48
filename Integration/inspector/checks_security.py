"""Hostile content stays text, and other origins cannot read the inspector."""

import http.server
import json
import threading
import urllib.error
import urllib.request

import fixtures
import har
from checks_files import drop
from support import clipboard, expect_no_overflow, once, until

INERT = """() => ({
  owned: window.isOwned === true, admin: ({}).isAdmin === true,
  elements: document.querySelectorAll('#detail script, #list script, #banner script, #toasts script, iframe, object, embed, #list img, #detail img:not([src^="blob:"]), a[href], [onerror], [onload], [style*="url("]').length,
  scripts: document.scripts.length })"""


def expect_inert(page):
    assert page.evaluate(INERT) == {"owned": False, "admin": False, "elements": 0, "scripts": 1}


def visit_everything(session):
    """Opens each tab of the selected call and clicks what can be unfolded."""
    page = session.page
    for tab in ("Overview", "Request", "Response", "Events", "Code"):
        if page.is_visible(f"#tab-{tab}"):
            session.tab(tab)
            for node in page.locator("#panel .segments button, #panel .event-head, #panel .json-fold[aria-expanded=false]:enabled").all()[:12]:
                node.click()
            page.wait_for_timeout(50)
            assert "<script>" in page.inner_text("#panel"), tab
            expect_inert(page)
            expect_no_overflow(page)


def check_hostile_calls(session):
    page = session.open()
    page.fill("#search", "window.isOwned")
    until(page, "document.querySelectorAll('.row').length < 4")
    row = page.locator(".row").first
    assert fixtures.MARKUP in row.inner_text()
    row.click()
    page.wait_for_selector("#detail h2")
    page.wait_for_timeout(150)
    assert page.inner_text("#detail h2") == fixtures.MARKUP
    session.shot("hostile")
    visit_everything(session)
    page.click("button[aria-label='Copy as cURL']")
    page.wait_for_timeout(100)
    assert clipboard(page) == fixtures.MARKUP
    session.select("Icon")
    session.tab("Response")
    page.wait_for_selector("figcaption:has-text('pixels')")
    expect_inert(page)


@once
def check_hostile_recording(session):
    page = session.open()
    drop(page, fixtures.MARKUP + ".har", har.hostile(fixtures.SCRIPT, fixtures.MARKUP))
    page.wait_for_selector("#banner:visible")
    assert fixtures.MARKUP in page.inner_text("#banner")
    page.wait_for_timeout(100)
    page.locator(".row").first.click()
    page.wait_for_timeout(150)
    visit_everything(session)
    deep = '{"log":{"entries":[{"request":{"url":"https://x.example/deep"},"response":{"status":200,"content":{"mimeType":"application/json","text":' + json.dumps("[" * 200_000 + "]" * 200_000) + "}}}]}}"
    if session.is_phone:
        page.locator(".back").click()
    drop(page, "deep.har", deep.encode())
    page.wait_for_selector("#banner:has-text('deep.har')")
    session.select("deep")
    session.tab("Response")
    page.wait_for_timeout(300)
    assert "[[[[" in page.inner_text("#panel") or page.locator(".json-fold").count() > 0


@once
def check_copied_command(session):
    """A command made from a hostile recording is one argument list without control characters."""
    page = session.open()
    hostile = har.of_browser()
    request = hostile["log"]["entries"][0]["request"]
    request.update(method="-o/tmp/x", url="-K/etc/passwd';echo owned\n\x1b[201~", headers=[{"name": "@/etc/passwd", "value": "x"}, {"name": "a b", "value": "c"}, {"name": "ok", "value": "$(echo owned) `echo owned` ' \x1b \n\\"}], postData={"mimeType": "text/plain", "text": "@/etc/passwd\x03"})
    drop(page, "curl.har", hostile)
    page.wait_for_selector("#banner:has-text('curl.har')")
    page.locator(".row").first.click()
    page.keyboard.press("c")
    page.wait_for_timeout(150)
    command = clipboard(page)
    import subprocess

    output = subprocess.run(["bash", "-c", "curl() { printf '%s\\0' \"$@\"; }; " + command], capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    assert output == ["--globoff", "--request", "-o/tmp/x", "--url", "-K/etc/passwd';echo owned\n\x1b[201~", "--header", "ok: $(echo owned) `echo owned` ' \x1b \n\\", "--data-raw", "@/etc/passwd\x03"], output
    assert not any(ord(character) < 32 and character != "\n" for character in command)


@once
def check_other_origins(session):
    page = session.open()
    expect_refusals(session)
    assert {"origin", "site"} & {problem for problem, _ in session.inspector.refused}
    assert len(session.inspector.calls) == len(fixtures.all_calls()), "another origin cannot clear the list"
    assert page.inner_text("#connection") == "Live"


def expect_refusals(session):
    """A page of another origin can neither read nor change anything, and requests of other hosts, origins and paths are refused."""
    inspector = session.inspector
    html = b"<!DOCTYPE html><title>other</title><body>"

    class Other(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html)

    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    context = session.context.browser.new_context()
    try:
        foreign = context.new_page()
        foreign.goto(f"http://127.0.0.1:{other.server_address[1]}/")
        result = foreign.evaluate("""async (url) => {
          const read = [];
          for (const mode of ['cors', 'no-cors']) for (const path of ['calls', 'har', 'events', '']) {
            try { const text = await (await fetch(url + path, { mode })).text(); if (text) read.push(mode + path); } catch {}
          }
          try { await fetch(url + 'clear', { method: 'POST', mode: 'no-cors' }); } catch {}
          for (const [tag, key] of [['script', 'src'], ['img', 'src'], ['iframe', 'src']]) {
            const node = document.createElement(tag); node[key] = url + (tag === 'script' ? 'main.js' : tag === 'img' ? 'icon.svg' : ''); document.body.append(node);
            await new Promise((done) => { node.onload = () => { if (tag !== 'iframe') read.push(tag); done(); }; node.onerror = done; setTimeout(done, 500); });
          }
          try { if (frames[0].document.body.textContent.includes('Search')) read.push('frame'); } catch {}
          const opened = await new Promise((done) => { const source = new EventSource(url + 'events'); source.onopen = () => done(true); source.onerror = () => done(false); });
          return { read, opened };
        }""", inspector.url)
        assert result == {"read": [], "opened": False}, result
    finally:
        context.close()
        other.shutdown()
        other.server_close()
    path = inspector.url.split("/", 3)[3]
    for headers, path, expected in [({"Host": "evil.example"}, path + "calls", 403), ({"Host": f"evil.example:{inspector.port}"}, path, 403), ({"Origin": "http://evil.example"}, path + "calls", 403), ({"Origin": "null"}, path + "har", 403), ({}, "wrong/calls", 404), ({}, path + "../server.py", 404), ({}, path + "%2e%2e/server.py", 404), ({}, path + "calls", 200)]:
        request = urllib.request.Request(f"http://127.0.0.1:{inspector.port}/{path}", headers=headers)
        try:
            status = urllib.request.urlopen(request).status
        except urllib.error.HTTPError as error:
            status = error.code
        assert status == expected, (headers, path, status)


@once
def check_policy(session):
    """The content security policy refuses inline code, so that the checks above do not pass by luck."""
    page = session.open()
    page.evaluate("""() => { const node = document.createElement('div'); node.innerHTML = '<img src=x onerror="window.isOwned=true"><p style="color:red">x</p>'; document.body.append(node); }""")
    page.wait_for_timeout(200)
    assert page.evaluate("window.isOwned !== true")
    assert any("Content Security Policy" in text for text in session.problems)
    session.problems, session.requests = [], []
