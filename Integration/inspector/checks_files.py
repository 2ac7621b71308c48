"""Saving and opening HAR files."""

import base64
import json
import pathlib
import tempfile

import fixtures
import har
from support import clipboard, expect_contrast, expect_no_overflow, names, once, options

folder = pathlib.Path(tempfile.mkdtemp(prefix="inspector-har-"))


def drop(page, name, data):
    """Drops a file onto the page."""
    page.evaluate("""([name, data]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
      for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }""", [name, base64.b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).decode()])


@once
def check_save_and_open_again(session):
    page = session.open()
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename == "shop.har"
    data = pathlib.Path(download.value.path()).read_bytes()
    assert len(json.loads(data)["log"]["_calls"]) == len(fixtures.all_calls())
    drop(page, "shop.har", data)
    page.wait_for_selector("#banner:has-text('shop.har')")
    session.select("GetOrders")
    text = page.inner_text("#panel")
    assert "and 4 attempts" in text and "Token refresh" in text and "338 ms" in text
    session.tab("Response")
    assert "9007199254740993" in page.inner_text("#panel")
    with page.expect_download() as download:
        page.click("button[aria-label='Save this call as HAR']")
    single = json.loads(pathlib.Path(download.value.path()).read_text())["log"]
    assert [entry["response"]["status"] for entry in single["entries"]] == [401, 503, 307, 200] and single["_calls"][0]["name"] == "GetOrders"
    assert single["entries"][3]["_removedFields"] == ["authorization"] and "9007199254740993" in single["entries"][3]["response"]["content"]["text"]
    drop(page, "single.har", single | {"x": 1})
    page.wait_for_timeout(200)
    assert "not a HAR file" in page.inner_text("#toasts"), "the log alone is not a file"
    drop(page, "single.har", {"log": single})
    page.wait_for_selector("#banner:has-text('single.har')", state="attached")
    page.wait_for_timeout(150)
    assert names(page) == ["GetOrders"]
    page.click("#to-live")
    page.wait_for_timeout(150)
    assert "Birds" in names(page) and page.is_hidden("#banner")


@once
def check_messages_in_recordings(session):
    """The messages of a WebSocket are saved where browsers have them, and are the same when the file is opened."""
    page = session.open([fixtures.chat(1_800_000_000)])
    session.select("Room")
    session.tab("Messages")
    with page.expect_download() as download:
        page.click("button[aria-label='Save this call as HAR']")
    data = pathlib.Path(download.value.path()).read_bytes()
    log = json.loads(data)["log"]
    messages = log["entries"][0]["_webSocketMessages"]
    assert [(one["type"], one["opcode"]) for one in messages] == [("send", 1), ("receive", 1), ("receive", 2), ("receive", 1)]
    assert messages[0]["time"] == 1_800_000_000.2 and messages[2]["data"] == "3q2+7w==" and messages[3]["_size"] == 2_000_000
    assert log["entries"][0]["_resourceType"] == "websocket" and "stream" not in log["_calls"][0]
    heads = page.locator(".message-head").all_inner_texts()
    drop(page, "room.har", data)
    page.wait_for_selector("#banner:has-text('room.har')", state="attached")
    session.select("Room")
    session.tab("Messages")
    assert page.locator(".message-head").all_inner_texts() == heads
    # The entry alone, as a browser would have written it: its call begins with the attempt.
    del log["_calls"]
    drop(page, "browser.har", {"log": log})
    page.wait_for_selector("#banner:has-text('browser.har')", state="attached")
    session.select("7")
    session.tab("Messages")
    assert [head.split("\n", 2)[2] for head in page.locator(".message-head").all_inner_texts()] == [head.split("\n", 2)[2] for head in heads]


def check_foreign_recording(session):
    page = session.open()
    drop(page, "browser.har", har.of_browser())
    page.wait_for_selector("#banner:has-text('browser.har')")
    page.wait_for_timeout(150)
    assert names(page) == ["birds", "Me", "missing", "app.js", "pixel"]
    assert "2 entries of “browser.har” could not be read: number 6, 7" in page.inner_text("#toasts")
    session.shot("recording")
    expect_contrast(page)
    session.select("birds")
    assert page.locator(".phases thead").inner_text().split() == ["Attempt", "Queued", "DNS", "Connect", "TLS", "Send", "Wait", "Receive", "Total"]
    assert "12 ms" in page.inner_text(".phases") and "18 ms" in page.inner_text(".phases")
    expect_no_overflow(page)
    page.click("button[aria-label='Copy as cURL']")
    page.wait_for_timeout(150)
    assert "--url 'https://www.example.net/catalogue/birds?page=2'" in clipboard(page) and "--header 'x-quote: it'\\''s'" in clipboard(page)
    session.select("Me")
    session.tab("Response")
    page.wait_for_selector("text=9007199254740993")
    session.select("pixel")
    session.tab("Overview")
    assert "ERR_BLOCKED_BY_CLIENT" in page.inner_text("#panel")


def check_damaged_recording(session):
    page = session.open()
    whole = json.dumps(har.of_browser()).encode()
    damaged = {"cut.har": (whole[:900], "ends in the middle"), "empty.har": (b"", "is empty"), "page.har": (b"<html>", "is not valid JSON"), "list.har": (b"[1,2]", "is missing"), "odd.har": (b'{"log":{"entries":{}}}', "is missing"), "bytes.har": (bytes(range(256)), "is not a text file")}
    before = page.inner_text("#summary")
    for name, (data, message) in damaged.items():
        drop(page, name, data)
        page.wait_for_selector(f".toast-bad:has-text('“{name}”')")
        assert message in page.locator(f".toast-bad:has-text('“{name}”')").inner_text(), name
    assert page.inner_text("#summary") == before and page.is_hidden("#banner"), "the live calls stay"
    session.shot("damaged")
    expect_contrast(page)
    drop(page, "none.har", b'{"log":{"entries":[]}}')
    page.wait_for_selector("#empty:visible")
    drop(page, "mark.har", b"\xef\xbb\xbf" + whole)
    page.wait_for_selector("#banner:has-text('mark.har')")


@once
def check_file_chooser(session):
    page = session.open()
    file = folder / "chosen.har"
    file.write_text(json.dumps(har.of_browser()))
    with page.expect_file_chooser() as chooser:
        page.click("#open")
    chooser.value.set_files(file)
    page.wait_for_selector("#banner:has-text('chosen.har')")


served = folder / "served.har"
served.write_text(json.dumps(har.of_browser()))


@options(recording=served, app="served.har")
def check_served_recording(session):
    """The page of `inspect FILE.har`."""
    page = session.open([])
    page.wait_for_selector("#connection.connection-file")
    page.wait_for_timeout(150)
    assert names(page)[0] == "birds" and page.locator("#to-live").count() == 0 and page.is_disabled("#clear")
    session.shot("served")
