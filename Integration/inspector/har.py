"""Writes the calls of the stand-in server as HAR 1.2, and the recordings that the checks open."""

import datetime
import json


def _ms(seconds):
    return -1 if seconds is None else round(seconds * 1000, 3)


def _fields(headers):
    return [{"name": name, "value": value} for name, value in headers]


def _entry(call, attempt):
    request, response = attempt["request"], attempt["response"] or {"headers": [], "body": None}
    body, sent, phases = response["body"], request["body"], attempt["phases"]
    content = {"size": -1, "mimeType": ""}
    if body:
        content = {"size": body["size"], "mimeType": body["type"]}
        if "text" in body:
            content["text"] = body["text"]
        elif "base64" in body:
            content.update(text=body["base64"], encoding="base64")
    started = datetime.datetime.fromtimestamp(call["started"] + attempt["at"], datetime.timezone.utc)
    entry = {
        "startedDateTime": started.isoformat().replace("+00:00", "Z"),
        "time": _ms(attempt["duration"]) if attempt["duration"] is not None else 0,
        "request": {
            "method": attempt["method"], "url": attempt["url"], "httpVersion": attempt["protocol"] or "unknown", "cookies": [],
            "headers": _fields(request["headers"]), "queryString": [], "headersSize": -1, "bodySize": sent["size"] if sent else 0,
        },
        "response": {
            "status": attempt["status"] or 0, "statusText": "", "httpVersion": attempt["protocol"] or "unknown", "cookies": [],
            "headers": _fields(response["headers"]), "content": content, "redirectURL": "", "headersSize": -1, "bodySize": content["size"],
        },
        "cache": {},
        "timings": {
            "blocked": _ms(phases["queued"]), "dns": _ms(phases["dns"]), "ssl": _ms(phases["tls"]),
            "connect": -1 if phases["connect"] is None else _ms(phases["connect"] + (phases["tls"] or 0)),
            "send": _ms(phases["send"] or 0), "wait": _ms(phases["wait"] or 0), "receive": _ms(phases["receive"] or 0),
        },
        "_call": call["id"], "_attempt": attempt["number"], "_at": attempt["at"], "_reused": attempt["reused"],
        "_error": attempt["error"], "_removedFields": attempt["removedFields"],
    }
    if sent:
        entry["request"]["postData"] = {"mimeType": sent["type"], "text": sent.get("text") or sent.get("base64") or ""}
    return entry


def written(calls):
    """A recording of calls: an entry for each attempt, and the calls without attempts."""
    entries = [_entry(call, attempt) for call in calls for attempt in call["attempts"]]
    return {"log": {"version": "1.2", "creator": {"name": "Martlet", "version": "1"}, "entries": entries,
                    "_calls": [{key: value for key, value in call.items() if key != "attempts"} for call in calls]}}


def of_browser():
    """A recording as a browser writes it: no calls, `ssl` within `connect`, a blocked entry, and entries that cannot be read."""

    def entry(url, status, type, text, **more):
        return {
            "startedDateTime": "2026-11-23T19:00:00.250Z", "time": 184.2, "_resourceType": "xhr", "serverIPAddress": "192.0.2.7",
            "request": {"method": "GET", "url": url, "httpVersion": "h2", "headers": [{"name": "accept", "value": "*/*"}, {"name": "x-quote", "value": "it's"}],
                        "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
            "response": {"status": status, "statusText": "", "httpVersion": "h2", "headers": [{"name": "content-type", "value": type}], "cookies": [],
                         "content": {"size": len(text), "mimeType": type, "text": text}, "redirectURL": "", "headersSize": -1, "bodySize": len(text)},
            "cache": {}, "timings": {"blocked": 2.1, "dns": 4, "connect": 30, "ssl": 18, "send": 0.2, "wait": 120, "receive": 27.9}, **more,
        }

    query = entry("https://api.example.net/graphql", 200, "application/json", '{"data":{"me":{"id":9007199254740993}}}')
    query["request"].update(method="POST", postData={"mimeType": "application/json", "text": json.dumps({"operationName": "Me", "query": "query Me { me { id } }", "variables": {}})})
    blocked = entry("https://tracker.example.org/pixel", 0, "", "")
    blocked["response"]["_error"] = "net::ERR_BLOCKED_BY_CLIENT"
    entries = [entry("https://www.example.net/catalogue/birds?page=2", 200, "application/json", '{"birds":["swift","martin"]}'), query,
               entry("https://www.example.net/missing", 404, "text/html", "<h1>Not found</h1>"), entry("https://cdn.example.net/app.js", 200, "text/javascript", "let a = 1", _fromCache="disk"),
               blocked, None, {"request": {"url": 7}}]
    return {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": entries}}


def hostile(script, markup):
    """A recording with markup in each text, and with values of wrong types."""
    entry = of_browser()["log"]["entries"][0]
    entry["request"].update(url=f"https://x.example/{markup}?a={markup}", method=markup, httpVersion=markup, headers=[{"name": markup, "value": markup}])
    entry["response"].update(httpVersion=markup, headers=[{"name": markup, "value": markup}], statusText=markup)
    entry["response"]["content"].update(mimeType="text/html", text=markup)
    entry.update(_error=markup, serverIPAddress=markup, _call="1", _attempt="x", time="1", _removedFields=[markup, 3, None])
    entry["_webSocketMessages"] = [{"type": markup, "opcode": 1, "time": "now", "data": markup, "_size": markup}, {"opcode": 2, "data": markup}, 5]
    calls = [
        {"id": "1", "name": markup, "kind": "row-evil", "state": markup, "method": markup, "url": f"javascript:{script}", "route": markup, "tags": [markup, {}], "error": {"case": markup, "stage": markup, "text": markup},
         "operations": [{"name": markup, "type": markup}, 5], "cache": {"verdict": markup, "text": markup}, "timeline": [{"at": "1", "kind": markup, "text": markup}, 4], "started": "now", "duration": -1, "curl": markup, "swift": markup,
         "stream": [{"event": markup, "data": markup, "id": markup}, 5], "outcome": markup, "bytes": [], "__proto__": {"isAdmin": True}},
        {"id": 2, "name": 5, "attempts": "none", "timeline": {}, "stream": "x"}, 7, {"id": None},
    ]
    return {"log": {"creator": {"name": markup}, "entries": [entry], "_calls": calls}}
