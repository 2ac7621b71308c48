"""The list, the filter, the search, the keyboard, the panel and bodies."""

import fixtures
from support import clipboard, expect_contrast, expect_no_overflow, names, once


def check_list(session):
    page = session.open()
    assert page.inner_text("#title") == "shop" and page.inner_text("#connection") == "Live"
    total = len(fixtures.all_calls())
    assert f"{total} calls" in page.inner_text("#summary")
    assert session.row("GetOrders").locator(".mark").all_inner_texts() == ["decoding", "4 attempts"]
    row = session.row("GetOrders").inner_text()
    assert "users/{}/orders" in row and "1.74 s" in row and "200" in row
    page.evaluate("document.getElementById('list').scrollTop = 0")
    page.wait_for_timeout(100)
    assert names(page)[:3] == ["GetUsers", "GetSettings", "GetFlags"]
    session.shot("list")
    expect_contrast(page)
    expect_no_overflow(page)


@once
def check_filter_and_search(session):
    page = session.open()
    page.click(".chip[data-chip=failed]")
    page.wait_for_timeout(100)
    assert names(page)[:3] == ["SignIn", "Lookup", "GetOrders"]
    assert page.get_attribute(".chip[data-chip=failed]", "aria-pressed") == "true"
    for chip, name in {"retried": "GetOrders", "cached": "GetSettings", "graphql": "Birds", "streams": "Prices", "transfers": "EuropeMap", "running": "EuropeMap"}.items():
        page.click(f".chip[data-chip={chip}]")
        page.wait_for_timeout(80)
        assert name in names(page) and "GetUsers" not in names(page), chip
    page.click(".chip[data-chip=all]")
    searches = {
        "getorders": ["GetOrders"], "status:503": ["GetOrders"], "status:4xx -getorders": ["SignIn"], "host:cdn kind:download": ["EuropeMap"], "tag:checkout": ["CreateOrder"], "cache:rev": ["GetFlags"],
        "error:decoding": ["GetOrders"], "larger:1mb -kind:download": ["Model", "Export"], "subscription": ["OrderChanged"], '"could not be resolved"': ["Lookup"], "method:post graphql": ["Birds", "OrderChanged"], "status:": None, "(": None, "slower:1s state:x": [],
    }
    for text, expected in searches.items():
        page.fill("#search", text)
        page.wait_for_timeout(80)
        found = [name for name in names(page) if "<" not in name]
        assert expected is None or found == expected, f"{text}: {found}"
    assert page.is_visible("#empty") and "No call matches" in page.inner_text("#empty")
    session.shot("no-match")
    page.click("#empty button")
    page.wait_for_timeout(80)
    assert len(names(page)) > 5 and page.input_value("#search") == ""


@once
def check_sort(session):
    page = session.open()
    if session.is_phone:
        assert page.is_hidden("#columns")
        return
    page.click(".column-duration")
    page.wait_for_timeout(100)
    page.click(".chip[data-chip=failed]")
    page.wait_for_timeout(100)
    assert names(page)[:2] == ["GetOrders", "SignIn"]
    page.click(".column-duration")
    page.wait_for_timeout(100)
    assert names(page)[-1] == "GetOrders"
    page.click(".column-name")
    page.wait_for_timeout(100)
    assert [name for name in names(page) if "<" not in name] == ["GetOrders", "Lookup", "SignIn"]


@once
def check_keyboard(session):
    page = session.open()
    page.keyboard.press("/")
    page.keyboard.type("users")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#detail h2:text-is('GetUsers')")
    if not session.is_phone:
        page.keyboard.press("j")
        page.wait_for_selector("#detail h2:text-is('GetOrders')")
        assert page.evaluate("document.querySelector('[aria-selected=true].row').id === document.getElementById('list').getAttribute('aria-activedescendant')")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "panel"
    page.keyboard.press("3")
    assert page.get_attribute("#tab-Response", "aria-selected") == "true"
    page.keyboard.press("2")
    if not session.is_phone:
        page.keyboard.press("[")
        assert page.get_attribute(".attempts button:nth-child(3)", "aria-pressed") == "true"
    page.keyboard.press("c")
    page.wait_for_selector(".toast")
    assert clipboard(page).startswith("curl ")
    page.keyboard.press("s")
    page.wait_for_timeout(100)
    assert "Request<" in clipboard(page)
    page.keyboard.press("Escape")
    assert page.is_hidden("#detail")
    page.keyboard.press("Escape")
    page.wait_for_timeout(100)
    assert page.input_value("#search") == ""
    page.keyboard.press("f")
    page.wait_for_timeout(100)
    assert page.get_attribute(".chip[data-chip=failed]", "aria-pressed") == "true"
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    assert page.is_hidden("#help")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.keyboard.press("t")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.reload()
    page.wait_for_selector(".row")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def check_help(session):
    page = session.open()
    page.keyboard.press("?")
    session.shot("help")
    expect_contrast(page)


HEADLINE = """async (call) => {
  const [{ readCall }, { headline }] = await Promise.all(["call.js", "explain.js"].map((file) => import(new URL(file, location.href).href)));
  return headline(readCall(call));
}"""


@once
def check_headlines(session):
    page = session.open()
    for case, stage, statuses, last, expected in (
        ("circuitOpen", "interceptor", [], "decision", "Not sent after 2.00 s: the circuit is open"),
        ("circuitOpen", "interceptor", [500, 500], "decision", "Failed after 2.00 s and 2 attempts: the circuit is open"),
        ("limitExceeded", "interceptor", [], "decision", "Not sent after 2.00 s: a limit of the client was reached"),
        ("authenticationFailed", "interceptor", [], "refresh", "Failed while getting a credential after 2.00 s"),
        ("timeout", "interceptor", [], "refresh", "Timed out while waiting for a credential after 2.00 s"),
        ("timeout", "sending", [None], "attempt", "Timed out without a complete response after 2.00 s"),
        ("timeout", "sending", [503], "wait", "Timed out after 2.00 s"),
        ("timeout", "sending", [], "decision", "Timed out after 2.00 s, before a request was sent"),
        ("connectionLost", "sending", [None], "attempt", "Failed without a complete response after 2.00 s"),
        ("invalidResponse", "sending", [None], "attempt", "Failed without a valid response after 2.00 s"),
        ("interceptorFailed", "interceptor", [], "decision", "Failed in an interceptor after 2.00 s"),
        ("redirectFailed", "redirect", [302], "head", "Failed while following a redirect after 2.00 s"),
        ("integrityFailed", "receiving", [200], "head", "Failed while checking the digest of the body after 2.00 s"),
        ("unknown", "unknown", [200], "head", "Failed in stage “unknown” after 2.00 s"),
    ):
        moments = [{"at": 0, "kind": kind} for kind in (last, "end")]
        call = {"id": "1", "state": "failed", "duration": 2, "error": {"case": case, "stage": stage, "text": ""}, "timeline": moments, "attempts": [{"status": status} for status in statuses]}
        assert page.evaluate(HEADLINE, call) == expected, (case, stage, page.evaluate(HEADLINE, call))


def check_difficult_call(session):
    page = session.open()
    session.select("GetOrders")
    text = page.inner_text("#panel")
    for part in ("Failed while decoding the response after 1.74 s and 4 attempts", "decodingFailed", "Cache miss.", "Token refresh", "Wait before the next attempt", "Retry 1 of 3", "Authorization was removed", "expected a number"):
        assert part in text, part
    assert page.locator(".track-button").count() == 4 and page.locator(".track-wait").count() == 1
    lane = page.locator(".track-lane").nth(1).bounding_box()
    for bar in page.locator(".track-bar").all():
        box = bar.bounding_box()
        assert box["x"] >= lane["x"] - 1 and box["x"] + box["width"] <= lane["x"] + lane["width"] + 1
    session.shot("overview")
    expect_contrast(page)
    expect_no_overflow(page)
    page.locator("#panel").evaluate("node => node.scrollTop = node.scrollHeight")
    session.shot("overview-end")
    expect_contrast(page)
    page.locator(".track-button").nth(1).click()
    assert "503 Service Unavailable" in page.inner_text("#panel") and "The database is being restarted." in page.inner_text("#panel")
    session.tab("Request")
    page.locator(".attempts button").nth(3).click()
    assert "authorization" in page.inner_text("#panel .note")
    assert page.locator("#panel .attempts button[aria-pressed=true]").inner_text().split() == ["4", "200"]
    page.locator(".attempts button").nth(0).click()
    assert page.locator("#panel .redacted").count() >= 1
    assert "include" in page.inner_text("table[aria-label=Query]")
    session.shot("request")
    expect_contrast(page)
    expect_no_overflow(page)
    session.tab("Response")
    page.locator(".attempts button").nth(3).click()
    assert "9007199254740993" in page.inner_text("#panel")
    session.shot("response")
    session.tab("Code")
    assert "let request = Request<Orders>" in page.inner_text("#panel")
    session.shot("code")
    expect_contrast(page)
    expect_no_overflow(page)


@once
def check_json_folds(session):
    page = session.open()
    session.select("Export")
    session.tab("Response")
    fold = page.locator(".json-fold")
    fold.first.wait_for()
    assert page.locator(".json-leaf, .json-branch").count() < 400, "a large body is not drawn at once"
    page.locator(".json-fold:has-text('items')").nth(1).click()
    more = page.locator(".json-more").first
    if more.count() == 0:
        page.locator(".json-fold:has-text('items')").nth(1).click()
    assert "of 8,900" in more.inner_text()
    began = page.evaluate("performance.now()")
    more.click()
    assert page.evaluate("performance.now()") - began < 1500
    assert "of 8,800" in more.inner_text()
    page.locator(".body-tools button:has-text('Fold')").last.click()
    root = fold.first
    root.focus()
    page.keyboard.press("ArrowLeft")
    assert root.get_attribute("aria-expanded") == "false"
    page.keyboard.press("ArrowRight")
    assert root.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent").startswith("items")
    page.locator(".segments button:text-is('Text')").click()
    assert "characters left" in page.inner_text("#panel")
    page.locator(".body-tools button:has-text('Copy')").click()
    page.wait_for_selector(".toast")
    assert len(clipboard(page)) > 1_000_000


def check_bodies(session):
    page = session.open()
    session.select("Avatar")
    session.tab("Response")
    page.wait_for_selector("figcaption:has-text('320 × 180 pixels')")
    session.shot("image")
    expect_contrast(page)
    session.select("Icon")
    page.wait_for_selector("figcaption:has-text('120 × 60 pixels')")
    session.select("Model")
    assert "Only the first part" in page.inner_text("#panel") and "000000  " in page.inner_text("#panel .hex")
    session.shot("binary")
    expect_no_overflow(page)
    session.tab("Request")
    session.select("SignIn")
    assert "ada@example.org" in page.inner_text("#panel") and page.locator("#panel .fields .redacted").count() >= 1
    session.shot("form")
    session.select("GetSettings")
    assert "comes from the cache" in page.inner_text("#panel")
    session.tab("Overview")
    assert "No request was sent." in page.inner_text("#panel")
    session.shot("cache-hit")
    expect_contrast(page)
    session.select("SearchSuggestions")
    assert "Cancelled by the app" in page.inner_text("#panel")
    session.shot("cancelled")
    session.select("Lookup")
    assert "could not be resolved" in page.inner_text("#panel")
    session.shot("no-host")


def check_graphql(session):
    page = session.open()
    session.select("Birds")
    session.tab("Request")
    text = page.inner_text("#panel")
    assert "Operation Birds" in text and "query Birds($first: Int!) {" in text and "first: 4" in text
    session.shot("graphql")
    expect_contrast(page)
    expect_no_overflow(page)
    session.select("OrderChanged")
    session.tab("Events")
    assert page.locator(".event").count() == 3
    page.locator(".event-head").first.click()
    assert "PAID" in page.inner_text(".event-body")
    session.shot("subscription")
    expect_contrast(page)
