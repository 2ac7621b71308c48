"""The page over the Swift inspector, filled by the calls of the program `inspected`."""

import json
import pathlib
import tempfile
import urllib.request

import fixtures
import server
from checks_files import drop
from checks_security import expect_inert, expect_refusals, visit_everything
from support import clipboard, expect_contrast, expect_no_overflow, names, once, options, until

SECRETS = (b"s3cret", b"4111111111111111")


def recorded():
    """A path for a file of this check."""
    return pathlib.Path(tempfile.mkdtemp(prefix="inspector-swift-")) / "shop.har"


def check_list(session):
    page = session.open_swift()
    assert page.inner_text("#title") == "shop" and page.inner_text("#connection") == "Live"
    page.fill("#search", "getorders decoding")
    until(page, "document.querySelectorAll('.row').length === 1")
    assert session.row("GetOrders").locator(".mark").all_inner_texts() == ["decoding", "4 attempts"]
    row = session.row("GetOrders").inner_text()
    assert "users/{}/orders" in row and "200" in row and "api.shop.example" in row
    page.fill("#search", "")
    before = page.inner_text(".chip[data-chip=all] .chip-count")
    until(page, f"document.querySelector('.chip[data-chip=all] .chip-count').textContent !== '{before}'")
    page.evaluate("document.getElementById('list').scrollTop = 0")
    page.wait_for_timeout(100)
    assert names(page)[1:5] == ["GetOrders", "GetUsers", "GetSettings", "GetSettings"]
    for chip, name in {"failed": "SignIn", "retried": "GetOrders", "cached": "GetFlags", "graphql": "Birds", "streams": "Prices", "transfers": "UploadVideo", "running": "EuropeMap"}.items():
        page.click(f".chip[data-chip={chip}]")
        page.wait_for_timeout(80)
        assert name in names(page) and "GetUsers" not in names(page), chip
    page.click(".chip[data-chip=all]")
    page.evaluate("document.getElementById('list').scrollTop = 0")
    page.wait_for_timeout(100)
    session.shot("swift-list")
    expect_contrast(page)
    expect_no_overflow(page)


def check_difficult_call(session):
    page = session.open_swift()
    page.fill("#search", "getorders decoding")
    until(page, "document.querySelectorAll('.row').length === 1")
    session.row("GetOrders").click()
    page.wait_for_selector("#detail h2:text-is('GetOrders')")
    page.wait_for_timeout(200)
    text = page.inner_text("#panel")
    for part in ("Failed while decoding the response after 1.", "and 4 attempts", "decodingFailed", "Decoding Orders failed at orders[0].total", "Cache miss.", "Token refresh", "Wait before the next attempt",
                 "the server responded with 503 Service Unavailable, and asks for this wait", "The stored response is stale and is validated.", "307 Temporary Redirect redirects to https://eu.cdn.example/users/42/orders", "orders, screen:account"):
        assert part in text, f"{part} is missing in {text}"
    assert "is not a status to retry" not in text.replace("401 Unauthorized is not a status to retry", "")
    assert page.locator(".track-button").count() == 4 and page.locator(".track-wait").count() == 1 and page.locator(".track-refresh").count() == 1
    assert page.locator(".phases thead").inner_text().split() == ["Attempt", "Queued", "DNS", "Connect", "TLS", "Wait", "Receive", "Total"]
    session.shot("swift-overview")
    expect_contrast(page)
    expect_no_overflow(page)
    page.locator(".track-button").nth(1).click()
    assert "503 Service Unavailable" in page.inner_text("#panel") and "The database is being restarted." in page.inner_text("#panel")
    session.tab("Request")
    page.locator(".attempts button").nth(3).click()
    assert "Authorization" in page.inner_text("#panel .note")
    page.locator(".attempts button").nth(0).click()
    assert page.locator("#panel .redacted").count() >= 1 and "include" in page.inner_text("table[aria-label=Query]")
    session.shot("swift-request")
    session.tab("Response")
    page.locator(".attempts button").nth(3).click()
    page.wait_for_selector("text=9007199254740993")
    session.shot("swift-response")
    session.tab("Code")
    code = page.inner_text("#panel")
    assert 'let request = Request<Orders>.get(url: URL(string: "https://api.shop.example/v2/users/42/orders?include=lines&locale=en-GB")!)' in code, code
    assert '// Without the secrets in "Authorization".' in code and "curl 'https://api.shop.example/v2/users/42/orders" in code
    session.shot("swift-code")
    expect_contrast(page)
    expect_no_overflow(page)
    page.keyboard.press("s")
    page.wait_for_selector(".toast")
    assert clipboard(page).startswith("// Without the secrets")


def check_bodies(session):
    page = session.open_swift()
    session.select("Export")
    session.tab("Response")
    page.locator(".json-fold").first.wait_for()
    assert page.locator(".json-leaf, .json-branch").count() < 400, "a large body is not drawn at once"
    session.shot("swift-json")
    session.select("Avatar")
    page.wait_for_selector("figcaption:has-text('320 × 180 pixels')")
    session.shot("swift-image")
    session.select("Icon")
    page.wait_for_selector("figcaption:has-text('120 × 60 pixels')")
    expect_inert(page)
    session.select("Model")
    page.wait_for_selector("#panel .hex")
    assert "1.0 MB of 2.5 MB" in page.inner_text("#panel") and "000000  " in page.inner_text("#panel .hex")
    expect_no_overflow(page)
    session.select("SignIn")
    session.tab("Request")
    page.wait_for_selector("#panel .fields .redacted")
    assert "ada@example.org" in page.inner_text("#panel")
    session.tab("Overview")
    assert "400 Bad Request" in page.inner_text("#panel") and "statusCode" in page.inner_text("#panel")
    session.select("CreateOrder")
    assert "decoded Order" in page.inner_text("#panel") and "checkout" in page.inner_text("#panel")
    session.tab("Request")
    page.wait_for_selector("#panel .redacted")
    session.select("SearchSuggestions")
    session.tab("Overview")
    assert "Cancelled by the app" in page.inner_text("#panel")
    session.select("Lookup")
    text = page.inner_text("#panel")
    assert "Failed while connecting" in text and "could not be resolved" in text
    session.shot("swift-no-host")
    expect_contrast(page)


@once
def check_cache(session):
    page = session.open_swift()
    page.fill("#search", "cache:hit")
    session.row("GetSettings").first.click()
    page.wait_for_selector(".card-hit")
    assert "fresh for another" in page.inner_text(".card-hit") and "no request" in page.inner_text(".card-hit").lower()
    if session.is_phone:
        page.locator(".back").click()
    page.fill("#search", "cache:reval")
    session.row("GetFlags").first.click()
    page.wait_for_selector(".card-revalidated")
    assert "304" in page.inner_text(".card-revalidated")


def check_graphql(session):
    page = session.open_swift()
    session.select("Birds, Nests")
    session.tab("Request")
    page.wait_for_selector("text=Operation Nests")
    text = page.inner_text("#panel")
    assert "Operation Birds" in text and "query Birds($first: Int!) {" in text and "first: 2" in text and "query Nests { nests }" in text
    session.shot("swift-graphql")
    expect_contrast(page)
    expect_no_overflow(page)
    session.tab("Overview")
    assert "query Birds, query Nests" in page.inner_text("#panel")
    session.select("OrderChanged")
    session.tab("Events")
    page.locator(".event:has-text('PAID') .event-head").click()
    assert "PAID" in page.inner_text(".event-body >> visible=true")


def check_live(session):
    page = session.open_swift()
    for name in ("EuropeMap", "UploadVideo"):
        session.select(name)
        session.tab("Overview")
        page.wait_for_selector(".progress:has-text(' of ')")
        before = page.inner_text(".progress")
        until(page, f"document.querySelector('.progress').innerText !== {json.dumps(before)}")
        if name == "EuropeMap":
            session.shot("swift-download")
            assert " of 48 MB" in before, before
        else:
            assert " of 4.0 MB" in before, before
    session.select("Prices")
    session.tab("Events")
    page.locator(".event").first.wait_for()
    count = page.locator(".event").count()
    page.locator(".event-head").first.click()
    until(page, f"document.querySelectorAll('.event').length > {count + 2}")
    assert page.locator(".event-head").first.get_attribute("aria-expanded") == "true", "an open event stays open"
    numbers = page.locator(".event-index").all_inner_texts()
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)], "no event is lost or repeated"
    session.shot("swift-events")
    expect_contrast(page)


@once
def check_hostile_call(session):
    page = session.open_swift()
    page.fill("#search", "window.isOwned")
    until(page, "document.querySelectorAll('.row').length === 1")
    assert fixtures.MARKUP in page.locator(".row").first.inner_text()
    page.locator(".row").first.click()
    page.wait_for_selector("#detail h2")
    page.wait_for_timeout(200)
    assert page.inner_text("#detail h2") == fixtures.MARKUP
    visit_everything(session)
    session.shot("swift-hostile")


@once
def check_secrets(session):
    """No response of the server contains a secret."""
    page = session.open_swift()
    inspector = session.inspector
    paths = ["calls", "har"] + [f"calls/{call['id']}" for call in inspector.calls()]
    for path in paths:
        data = inspector.get(path)
        for secret in SECRETS:
            assert secret not in data, (path, data[max(0, data.find(secret) - 100):data.find(secret) + 100])
    session.select("SignIn")
    assert not any(secret.decode() in page.content() for secret in SECRETS)


@once
def check_other_origins(session):
    page = session.open_swift()
    count = len(session.inspector.calls())
    expect_refusals(session)
    assert len(session.inspector.calls()) >= count, "another origin cannot clear the list"
    assert page.inner_text("#connection") == "Live"


@once
def check_fields(session):
    """Each response has the fields of the format."""
    session.open_swift()
    inspector = session.inspector
    for path, type in {"": "text/html", "main.js": "text/javascript", "base.css": "text/css", "icon.svg": "image/svg+xml", "calls": "application/json", "har": "application/json", "events": "text/event-stream"}.items():
        with urllib.request.urlopen(inspector.url + path) as response:
            assert response.headers["Content-Type"] == f"{type}; charset=utf-8", path
            assert response.headers["Content-Security-Policy"] == server.POLICY, path
            for name, value in {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"}.items():
                assert response.headers[name] == value, (path, name)


@once
def check_save_and_open_again(session):
    page = session.open_swift()
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename == "shop.har"
    data = pathlib.Path(download.value.path()).read_bytes()
    drop(page, "shop.har", data)
    page.wait_for_selector("#banner:has-text('shop.har')", state="attached")
    page.fill("#search", "getorders decoding")
    until(page, "document.querySelectorAll('.row').length === 1")
    session.row("GetOrders").click()
    page.wait_for_selector("#detail h2:text-is('GetOrders')")
    text = page.inner_text("#panel")
    assert "and 4 attempts" in text and "Token refresh" in text
    session.tab("Response")
    assert "9007199254740993" in page.inner_text("#panel")
    session.tab("Request")
    assert "Authorization" in page.inner_text("#panel .note")
    session.tab("Code")
    assert "Request<Orders>.get" in page.inner_text("#panel")
    if session.is_phone:
        page.locator(".back").click()
    session.select("Prices")
    session.tab("Events")
    assert page.locator(".event").count() > 3
    if session.is_phone:
        page.locator(".back").click()
    page.click("#to-live")
    page.wait_for_selector("#banner", state="hidden")


@once
@options(mode=recorded())
def check_recording(session):
    """`Inspector.open` serves the file, and the page reads it."""
    file = session.inspector.mode
    other = type(session.inspector)(session.inspector.program)
    other.start()
    file.write_bytes(other.get("har"))
    other.stop()
    page = session.open_swift()
    page.wait_for_selector("#banner:has-text('shop.har')")
    assert page.inner_text("#connection") == "Recording" and page.locator("#to-live").count() == 0
    page.wait_for_timeout(200)
    session.select("Avatar")
    session.tab("Response")
    page.wait_for_selector("figcaption:has-text('320 × 180 pixels')")
    session.shot("swift-recording")


@once
def check_clear(session):
    page = session.open_swift()
    # The search finds calls that are not among the visible rows.
    for name in ("EuropeMap", "Prices"):
        page.fill("#search", f'"{name}"')
        session.row(name).first.wait_for()
    page.fill("#search", "")
    page.click("#clear")
    until(page, "![...document.querySelectorAll('.row-title')].some((node) => node.textContent === 'GetUsers')")
    page.wait_for_timeout(300)
    assert {"EuropeMap", "Prices"} <= set(names(page)), "running calls stay"
    session.row("GetItem").first.wait_for()


@options(mode="empty")
def check_empty(session):
    page = session.open_swift()
    assert "No calls yet" in page.inner_text("#empty") and page.is_disabled("#save")
    session.shot("swift-empty")
    expect_contrast(page)


def guide_shot(page, path):
    """Takes a screenshot with a palette, which is a third as large, if the package `pillow` is installed."""
    page.screenshot(path=path)
    try:
        from PIL import Image
    except ImportError:
        return
    image, palette = Image.open(path).convert("RGB"), Image.new("P", (1, 1))
    # The most frequent colors stay exact, so that surfaces keep their tint.
    colors = [color for _, color in sorted(image.getcolors(1 << 24), reverse=True)]
    chosen = colors[:128]
    for color in colors[128:]:
        if len(chosen) < 256 and min(sum(abs(a - b) for a, b in zip(color, other)) for other in chosen) > 30:
            chosen.append(color)
    palette.putpalette([value for color in chosen for value in color])
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def check_guide(session):
    """Takes the screenshots of the guides: the list and a call."""
    if session.is_phone:
        return
    page, suffix = session.open_swift(), "~dark" if session.scheme == "dark" else ""
    session.inspector.until(lambda calls: sum(call["name"] == "GetItem" for call in calls) > 1)
    page.evaluate("document.getElementById('list').scrollTop = 1e6")
    page.wait_for_timeout(300)
    guide_shot(page, session.folder / f"inspector-list{suffix}.png")
    session.row("GetOrders").last.click()
    page.wait_for_selector("#panel .card-bad")
    page.mouse.move(640, 785)
    page.wait_for_timeout(300)
    guide_shot(page, session.folder / f"inspector-call{suffix}.png")


@once
def check_app_ends(session):
    page = session.open_swift()
    session.select("GetUsers")
    session.tab("Response")
    page.wait_for_selector("#panel .json-fold")
    session.inspector.stop()
    page.wait_for_selector("#connection.connection-lost", state="attached")
    assert page.locator("#panel .json-fold").count() > 3, "what was loaded stays"
    session.problems = [text for text in session.problems if "ERR_CONNECTION_REFUSED" not in text and "ERR_INCOMPLETE_CHUNKED" not in text and "Failed to load resource" not in text]
