import Testing

@testable import MartletObservation

@Suite("W3C Trace Context", .timeLimit(.minutes(5)))
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736", span = "00f067aa0ba902b7"

    @Test("A valid traceparent is read and written unchanged", arguments: ["00", "01", "02", "03"])
    func valid(flags: String) throws {
        let text = "00-\(Self.trace)-\(Self.span)-\(flags)"
        let parent = try #require(TraceContext(traceparent: text))
        #expect("\(parent.traceID)" == Self.trace && "\(parent.spanID)" == Self.span)
        #expect(parent.isSampled == ["01", "03"].contains(flags) && parent.isRandom == ["02", "03"].contains(flags))
        #expect(parent.traceparent == text)
    }

    @Test("Unknown flags are ignored")
    func flags() {
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-ff")?.traceparent == "00-\(Self.trace)-\(Self.span)-03")
    }

    @Test("A later version is read as version 00, with or without more fields")
    func laterVersion() {
        #expect(TraceContext(traceparent: "01-\(Self.trace)-\(Self.span)-01")?.isSampled == true)
        #expect(TraceContext(traceparent: "cc-\(Self.trace)-\(Self.span)-01-what-the-future-brings")?.isSampled == true)
        #expect(TraceContext(traceparent: "cc-\(Self.trace)-\(Self.span)-01.what") == nil)
    }

    @Test(
        "A malformed traceparent is rejected",
        arguments: [
            "", "00", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)",
            "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span)-0A", "00-00000000000000000000000000000000-\(span)-01",
            "00-\(trace)-0000000000000000-01", "00_\(trace)_\(span)_01", "0-\(trace)-\(span)-001", "00-\(trace)x-\(span)-01",
            "é0-\(trace)-\(span)-1",
        ])
    func malformed(text: String) { #expect(TraceContext(traceparent: text) == nil) }

    @Test("Members of a tracestate keep their order over several lines, and empty ones are ignored")
    func state() throws {
        let state = try #require(TraceState(["a=1 , ,b= x", "t1@vendor=y"]))
        #expect(state.keys == ["a", "b", "t1@vendor"])
        #expect(state["b"] == " x")
        #expect(state.description == "a=1,b= x,t1@vendor=y")
    }

    @Test(
        "A malformed tracestate is rejected",
        arguments: ["a", "a=", "A=1", "aB=1", "_a=1", "a=1,a=2", "a=b=c", "@v=1", "a.b=1", "a=é", "a b=1", "=1"])
    func malformedState(text: String) { #expect(TraceState(text) == nil) }

    @Test("A key of Level 2 is accepted", arguments: ["1a", "0", "a@b@c", "a@1b", "a@", "t1@vendor", "a_-*/9"])
    func keys(key: String) { #expect(TraceState(key + "=1")?.keys == [key]) }

    @Test("A key has at most 256 bytes, and a value has 1 to 256")
    func lengths() {
        func a(_ count: Int) -> String { String(repeating: "a", count: count) }
        #expect(TraceState.isKey(a(256)) && !TraceState.isKey(a(257)) && !TraceState.isKey(""))
        #expect(TraceState.isKey("1" + a(241) + "@" + a(13)))
        #expect(TraceState.isValue(a(256)) && !TraceState.isValue(a(257)) && !TraceState.isValue("a ") && !TraceState.isValue("a,b"))
    }

    @Test("A changed member moves to the front, the 33rd is dropped, and an invalid change does nothing")
    func mutation() throws {
        var state = try #require(TraceState((0..<32).map { "k\($0)=v" }))
        state["k5"] = "new"
        #expect(state.keys.first == "k5" && state.keys.count == 32)
        state["x"] = "1"
        #expect(state.keys.first == "x" && state.keys.count == 32 && state["k31"] == nil)
        state["Bad"] = "1"
        state["x"] = "a,b"
        #expect(state["x"] == "1" && state.keys.count == 32)
        state["x"] = nil
        #expect(state.keys.first == "k5" && state.keys.count == 31)
        #expect(TraceState((0..<33).map { "k\($0)=v" }) == nil)
    }

    @Test("A field of more than 512 bytes loses long members first, then the last")
    func fieldLimit() throws {
        let long = "long=" + String(repeating: "x", count: 130)
        let short = (0..<10).map { "k\($0)=" + String(repeating: "y", count: 46) }
        let state = try #require(TraceState([long] + short))
        #expect(state.fieldValue == short.joined(separator: ","))
        let more = try #require(TraceState(short + ["z=1"]))
        #expect(more.fieldValue.utf8.count <= 512 && more.fieldValue == (short + ["z=1"]).joined(separator: ","))
        let most = try #require(TraceState(short + ["z=" + String(repeating: "1", count: 20)]))
        #expect(most.fieldValue == short.joined(separator: ","))
    }

    @Test("A repeated traceparent is rejected, and a malformed tracestate is dropped")
    func fields() throws {
        let parent = "00-\(Self.trace)-\(Self.span)-01"
        var headers: HTTPFields = ["Traceparent": parent, "tracestate": "a=1", "TraceState": "b=2"]
        var context = try #require(TraceContext(headers: headers))
        #expect(context.stateKeys == ["a", "b"] && context[state: "a"] == "1")
        context[state: "b"] = "3"
        #expect(context.stateKeys == ["b", "a"] && context.state.description == "b=3,a=1")
        headers.append("tracestate", "B=2")
        #expect(TraceContext(headers: headers)?.state.isEmpty == true)
        headers.append("traceparent", parent)
        #expect(TraceContext(headers: headers) == nil)
        var written: HTTPFields = ["traceparent": "x", "tracestate": "old=1"]
        try #require(TraceContext(traceparent: parent)).write(to: &written)
        #expect(written == ["traceparent": parent])
    }
}
