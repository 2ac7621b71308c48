"""What arrives while the page is open: calls, progress, events, removals, and the end of the app."""

import json

import fixtures
from support import expect_contrast, names, once, options, until


def event(n):
    return {"at": 3 + n, "event": "price", "id": str(n), "data": json.dumps({"price": n})}


@once
def check_new_calls(session):
    page = session.open(fixtures.many(60))
    page.wait_for_timeout(200)
    assert page.evaluate("(() => { const l = document.getElementById('list'); return l.scrollTop + l.clientHeight >= l.scrollHeight - 1; })()"), "the list starts at its end"
    new = fixtures.many(61)[-1]
    session.inspector.put(new)
    session.row("GetItem60").wait_for()
    page.evaluate("document.getElementById('list').scrollTop = 200")
    page.wait_for_timeout(100)
    top = names(page)[0]
    session.inspector.put({**new, "id": "later", "name": "Later"})
    page.wait_for_selector("#newer:not([hidden])")
    assert names(page)[0] == top, "the rows stay in place while the user reads"
    page.click("#newer")
    session.row("Later").wait_for()


def check_progress(session):
    page = session.open()
    session.select("EuropeMap")
    assert "20 MB of 48 MB (41 %)" in page.inner_text("#panel")
    session.shot("download")
    expect_contrast(page)
    call = next(call for call in session.inspector.calls.values() if call["name"] == "EuropeMap")
    session.inspector.put({**fixtures.download(call["started"], 30_000_000), "id": call["id"]})
    page.wait_for_selector("text=30 MB of 48 MB (62 %)")
    session.inspector.put({**fixtures.download(call["started"], 48_000_000), "id": call["id"]})
    page.wait_for_selector(".headline:has-text('Succeeded after')")


def check_events_arrive(session):
    page = session.open()
    session.select("Prices")
    session.tab("Events")
    assert page.locator(".event").count() == 6
    call = next(call for call in session.inspector.calls.values() if call["name"] == "Prices")
    page.locator(".event-head").first.click()
    for n in range(6, 12):
        session.inspector.add_event(call["id"], event(n))
    until(page, "document.querySelectorAll('.event').length === 12")
    assert page.locator(".event-head").first.get_attribute("aria-expanded") == "true", "an open event stays open"
    assert page.locator(".event-index").all_inner_texts() == [str(n) for n in range(1, 13)]
    session.shot("events")
    expect_contrast(page)


def check_messages_arrive(session):
    page = session.open([fixtures.chat(1_800_000_000)])
    page.click(".chip[data-chip=streams]")
    assert session.row("Room").locator(".mark").all_inner_texts() == ["4 messages"]
    session.select("Room")
    assert page.is_hidden("#tab-Events")
    session.tab("Messages")
    assert page.locator(".message-head").all_inner_texts()[0].split() == ["1", "+200", "ms", "↑", "sent", "16", "B", '{"text":"hello"}']
    assert "4 messages; the connection is open" in page.inner_text(".stream-note")
    page.locator(".event-head").nth(1).click()
    assert "token" in page.locator(".event-body").nth(1).inner_text() and page.locator(".event-body .redacted").count() == 1
    page.locator(".event-head").nth(2).click()
    assert "de ad be ef" in page.locator(".event-body").nth(2).inner_text()
    page.locator(".event-head").nth(3).click()
    assert "Only the first part of this message of 2.0 MB was recorded." in page.locator(".event-body").nth(3).inner_text()
    session.inspector.add_event(next(iter(session.inspector.calls)), {"at": 4, "event": "sent", "size": 3, "data": "bye"})
    until(page, "document.querySelectorAll('.event').length === 5")
    assert page.locator(".event-head").nth(1).get_attribute("aria-expanded") == "true", "an open message stays open"
    session.shot("messages")
    expect_contrast(page)


@once
def check_events_arrive_twice(session):
    """Events that are both in the loaded call and in a later message are shown once, and none is lost."""
    page = session.open()
    session.select("Prices")
    call = next(call for call in session.inspector.calls.values() if call["name"] == "Prices")
    session.inspector.send("stream", {"id": call["id"], "first": 3, "items": call["stream"][3:]})
    page.wait_for_timeout(300)
    session.tab("Events")
    assert page.locator(".event-data").all_inner_texts() == [item["data"] for item in call["stream"]]
    for n in range(6, 9):
        session.inspector.add_event(call["id"], event(n))
    until(page, "document.querySelectorAll('.event').length === 9")
    assert page.locator(".event-index").all_inner_texts() == [str(n) for n in range(1, 10)]


@once
def check_many_events(session):
    page = session.open()
    call = next(call for call in session.inspector.calls.values() if call["name"] == "Prices")
    call["stream"].extend(event(n) for n in range(6, 3000))
    session.inspector.put(call)
    session.select("Prices")
    session.tab("Events")
    until(page, "document.querySelectorAll('.event').length === 500")
    assert "3,000 events; the last 500 are shown" in page.inner_text(".stream-note")


@once
@options(limits=(20, 20_000_000))
def check_limits_and_clear(session):
    page = session.open(fixtures.many(20))
    assert "the last 20 are kept" in page.inner_text("#summary")
    session.select("GetItem0")
    for call in fixtures.many(23)[20:]:
        session.inspector.put(call)
    page.wait_for_selector("text=This call was removed from the list.")
    page.keyboard.press("Escape")
    running = fixtures.feed(1_800_000_000, 1)
    session.inspector.put({**running, "id": "running"})
    page.fill("#search", "")
    page.wait_for_timeout(100)
    page.click("#clear")
    until(page, "document.querySelectorAll('.row').length === 1")
    assert names(page) == ["Prices"], "running calls stay"


@once
def check_large_list(session):
    page = session.open(fixtures.many(500))
    assert page.locator(".row").count() < 60, "only the visible rows are drawn"
    page.keyboard.press("Home")
    page.wait_for_selector("#detail h2:text-is('GetItem0')")
    page.keyboard.press("Escape")
    session.row("GetItem0").wait_for()
    took = page.evaluate("""async () => {
      const list = document.getElementById('list'), longest = [];
      for (let n = 0; n < 60; n += 1) { const start = performance.now(); list.scrollTop += 350; await new Promise(requestAnimationFrame); longest.push(performance.now() - start); }
      return longest.sort((a, b) => a - b)[55]; }""")
    assert took < 100, f"a frame took {took} ms"
    page.fill("#search", "GetItem49")
    page.wait_for_timeout(150)
    assert names(page) == ["GetItem49"] + [f"GetItem{n}" for n in range(490, 500)]


def check_empty(session):
    page = session.open([])
    assert "No calls yet" in page.inner_text("#empty") and page.is_disabled("#save")
    session.shot("empty")
    expect_contrast(page)
    session.inspector.put(fixtures.many(1)[0])
    session.row("GetItem0").wait_for()
    assert page.is_hidden("#empty")


def check_disconnected(session):
    page = session.open()
    session.select("GetOrders")
    session.inspector.stop()
    page.wait_for_selector("#connection.connection-lost", state="attached")
    if not session.is_phone:
        session.row("Birds").click()
        page.wait_for_selector("text=The bodies of this call were not loaded")
    session.shot("disconnected")
    expect_contrast(page)
    if session.is_phone:
        page.locator(".back").click()
    session.row("GetOrders").click()
    session.tab("Response")
    page.wait_for_selector("text=9007199254740993")
    session.problems = [text for text in session.problems if "ERR_CONNECTION_REFUSED" not in text and "ERR_INCOMPLETE_CHUNKED" not in text and "Failed to load resource" not in text]
    session.inspector.server = type("Stopped", (), {"shutdown": lambda self: None, "server_close": lambda self: None})()
