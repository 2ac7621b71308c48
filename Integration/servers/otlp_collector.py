#!/usr/bin/env python3
"""A collector that accepts only valid OTLP/HTTP JSON, checked with the published protobuf schema: otlp_collector.py [PORT]

It listens on 127.0.0.1 and prints its port. POST /v1/traces takes spans; GET /spans returns them. POST /fail?status=503&count=2 lets the
next two requests fail. With `--check FILE` it only checks a file.
"""
import base64
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
INTEGERS = {"startTimeUnixNano", "endTimeUnixNano", "timeUnixNano", "intValue"}
ENUMERATIONS = {"kind", "code"}


class Invalid(Exception):
    pass


def to_protobuf_json(value, name=""):
    """Checks what OTLP's JSON has in place of protobuf's, and returns protobuf's: identifiers in base64."""
    if isinstance(value, dict):
        return {key: to_protobuf_json(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [to_protobuf_json(element, name) for element in value]
    if name in IDS:
        if not (isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{IDS[name]}}}", value) and int(value, 16)):
            raise Invalid(f"{name} is {value!r}")
        return base64.b64encode(bytes.fromhex(value)).decode()
    if name in INTEGERS and not (isinstance(value, str) and re.fullmatch("-?[0-9]+", value)):
        raise Invalid(f"{name} is {value!r}, not a decimal text")
    if name in ENUMERATIONS and type(value) is not int:
        raise Invalid(f"{name} is {value!r}, not a number")
    return value


def check_names(value, descriptor):
    """Refuses names that are not lowerCamelCase: protobuf's parser also takes the names of the schema."""
    fields = {field.json_name: field for field in descriptor.fields}
    for name, member in value.items():
        if name not in fields:
            raise Invalid(f"{descriptor.name} has no member {name}")
        if fields[name].message_type:
            for element in member if isinstance(member, list) else [member]:
                check_names(element, fields[name].message_type)


def read(text):
    """Returns the spans of a request as dictionaries of OTLP's JSON."""
    value = json.loads(text)
    check_names(value, ExportTraceServiceRequest.DESCRIPTOR)
    message = json_format.Parse(json.dumps(to_protobuf_json(value)), ExportTraceServiceRequest())
    for group in message.resource_spans:
        if not any(a.key == "service.name" and a.value.string_value for a in group.resource.attributes):
            raise Invalid("the resource has no service.name")
        for span in (span for scope in group.scope_spans for span in scope.spans):
            check_span(span)
    return [span for group in value["resourceSpans"] for scope in group["scopeSpans"] for span in scope["spans"]]


def check_span(span):
    if len(span.trace_id) != 16 or len(span.span_id) != 8:
        raise Invalid("a span without identifiers")
    if not span.name or span.kind not in range(1, 6):
        raise Invalid("a span without a name or a kind")
    if not 0 < span.start_time_unix_nano <= span.end_time_unix_nano:
        raise Invalid(f"{span.name} ends before it starts")
    if any(not span.start_time_unix_nano <= event.time_unix_nano <= span.end_time_unix_nano for event in span.events):
        raise Invalid(f"{span.name} has an event outside its time")
    keys = [attribute.key for attribute in span.attributes]
    if len(keys) != len(set(keys)):
        raise Invalid(f"{span.name} has an attribute twice")


class Collector(BaseHTTPRequestHandler):
    spans = []
    failures = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        target = urlsplit(self.path)
        if target.path == "/fail":
            query = parse_qs(target.query)
            Collector.failures += [int(query["status"][0])] * int(query["count"][0])
            return self.answer(200, {})
        if target.path != "/v1/traces":
            return self.answer(404, {})
        if Collector.failures:
            return self.answer(Collector.failures.pop(0), {})
        if self.headers.get("Content-Type") != "application/json":
            return self.answer(415, {"message": "not application/json"})
        if "traceparent" in self.headers:
            return self.answer(400, {"message": "the exporter traces itself"})
        try:
            Collector.spans += read(body)
        except (Invalid, ValueError, KeyError, AttributeError, TypeError, json_format.ParseError) as error:
            return self.answer(400, {"message": f"{error}"})
        self.answer(200, {})

    def do_GET(self):
        self.answer(200, Collector.spans) if self.path == "/spans" else self.answer(404, {})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        print(len(read(open(sys.argv[2]).read())))
    else:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if sys.argv[1:] else 0), Collector)
        print(server.server_port, flush=True)
        server.serve_forever()
