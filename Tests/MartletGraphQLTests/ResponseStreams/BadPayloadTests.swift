import Foundation
import Testing

@testable import MartletGraphQL

@Suite("Malformed incremental payloads", .timeLimit(.minutes(5))) struct BadPayloadTests {
    private static let first =
        #"{"data":{"hero":{"id":1,"nest":null},"list":[1]},"pending":[{"id":"0","path":["hero"]},{"id":"l","path":["list"]}],"hasNext":true}"#

    private func failure(_ payloads: String..., limits: IncrementalLimits = IncrementalLimits()) -> String {
        var merger = IncrementalMerger(limits: limits)
        do {
            for payload in payloads { try merger.merge(try JSONValue(payload: Data(payload.utf8))) }
        } catch let error as HTTPError {
            guard case .invalidResponse(let words) = error, error.stage == .body else { return "another error: \(error)" }
            return words.text.replacing("a payload of the answer ", with: "")
        } catch { return "another error: \(error)" }
        return "none"
    }

    @Test(
        "Each has words of its own, and none traps",
        arguments: [
            (#"{"incremental":[{"id":"9","data":{}}],"hasNext":true}"#, "has something for what was not announced"),
            (#"{"completed":[{"id":"9"}],"hasNext":true}"#, "completes what was not announced"),
            (#"{"completed":[{"id":"0"},{"id":"0"}],"hasNext":true}"#, "completes what was not announced"),
            (#"{"pending":[{"id":"0","path":[]}],"hasNext":true}"#, "announces the same twice"),
            (#"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#, "has something whose path has items for what is no list"),
            (#"{"incremental":[{"id":"l","data":{}}],"hasNext":true}"#, "has something whose path has data for what is no object"),
            (#"{"incremental":[{"id":"0","data":[1]}],"hasNext":true}"#, "has something whose path has data that is no object"),
            (#"{"incremental":[{"id":"0","items":7}],"hasNext":true}"#, "has items that are no list"),
            (#"{"incremental":[{"id":"0","subPath":["x"],"data":{}}]}"#, "has something whose path leads to a field that is not there"),
            (#"{"incremental":[{"id":"0","subPath":["nest"],"data":{}}]}"#, "has something whose path has data for what is no object"),
            (#"{"incremental":[{"id":"0","subPath":["nest","x"],"data":{}}]}"#, "has something whose path leads into null"),
            (#"{"incremental":[{"id":"0","subPath":[0],"data":{}}]}"#, "has something whose path leads into what is of another kind"),
            (
                #"{"incremental":[{"id":"0","subPath":["id","x"],"data":{}}]}"#,
                "has something whose path leads into what is of another kind"
            ),
            (#"{"incremental":[{"id":"l","subPath":[1],"data":{}}]}"#, "has something whose path leads to an element that is not there"),
            (
                #"{"incremental":[{"path":["list",2],"items":[1]}]}"#,
                "has something whose path has items for a place beyond the end of the list"
            ),
            (
                #"{"incremental":[{"path":["list",4611686018427387904],"items":[1]}]}"#,
                "has something whose path has items for a place beyond the end of the list"
            ),
            (
                #"{"path":["list",9223372036854775807],"data":1}"#,
                "has something whose path has items for a place beyond the end of the list"
            ),
            (#"{"path":["list",9223372036854775808],"data":1}"#, "has a path with a number that is no index"),
            (#"{"path":["list",-1],"data":1}"#, "has a path with a number that is no index"),
            (#"{"path":["list",1.5],"data":1}"#, "has a path with a number that is no index"),
            (#"{"path":["list",null],"data":1}"#, "has a path with something that is neither a name nor an index"),
            (#"{"path":"hero","data":{}}"#, "has a path that is no list"),
            (#"{"path":[0],"data":{}}"#, "has something whose path has items for what is no list"),
            (#"{"incremental":[{"data":{}}],"hasNext":true}"#, "has something for the data without an id or a path"),
            (#"{"incremental":[7],"hasNext":true}"#, "has something for the data without an id or a path"),
            (#"{"incremental":{},"hasNext":true}"#, "has incremental that is no list"),
            (#"{"pending":7,"hasNext":true}"#, "has pending that is no list"),
            (#"{"pending":[{"path":[]}],"hasNext":true}"#, "names something without an id"),
            (#"{"completed":[{"id":null}],"hasNext":true}"#, "names something without an id"),
            (#"{"errors":[{}],"hasNext":true}"#, "has an error without a message"),
            (#"{"errors":"no","hasNext":true}"#, "has errors that is no list"),
            (#"{"data":{"other":1},"hasNext":true}"#, "has data from the beginning, and that had come"),
            ("[]", "is no object"), ("null", "is no object"), ("7", "is no object"),
        ])
    func words(payload: String, expected: String) {
        #expect(failure(Self.first, payload) == expected)
    }

    @Test("Patches for data that is null, or before there is any, are errors")
    func noData() {
        #expect(
            failure(#"{"data":null,"errors":[{"message":"a"}],"hasNext":true}"#, #"{"path":[],"data":{"a":1},"hasNext":false}"#)
                == "has something whose path leads into data that is null")
        #expect(failure(#"{"path":["a"],"data":{"a":1},"hasNext":true}"#) == "has something whose path leads into data that is null")
    }

    @Test("After the last payload there is none")
    func afterTheLast() {
        #expect(failure(#"{"data":{},"hasNext":false}"#, #"{"hasNext":false}"#) == "comes after the last")
    }

    @Test("Announcements, errors, values and steps of paths have limits")
    func limits() {
        let limits = IncrementalLimits(tree: JSONLimits(maxDepth: 4, maxValues: 100), pending: 2, errors: 2)
        let announcements = (1...3).map { #"{"id":"\#($0)","path":[]}"# }
        func pending(_ count: Int) -> String {
            #"{"data":{},"pending":[\#(announcements.prefix(count).joined(separator: ","))],"hasNext":true}"#
        }
        #expect(failure(pending(2), limits: limits) == "none")
        #expect(failure(pending(3), limits: limits) == "announces more than 2")
        let error = #"{"errors":[{"message":"a"},{"message":"b"}],"hasNext":true}"#
        #expect(failure(#"{"data":{},"hasNext":true}"#, error, limits: limits) == "none")
        #expect(failure(#"{"data":{},"hasNext":true}"#, error, error, limits: limits) == "has the last of more errors than 2")
        let heartbeats = (0..<60).map { _ in #"{"hasNext":true}"# }
        var merger = IncrementalMerger(limits: limits)
        #expect(throws: HTTPError.self) {
            for heartbeat in heartbeats { try merger.merge(try JSONValue(payload: Data(heartbeat.utf8))) }
        }
        #expect(
            failure(#"{"data":{"a":{}},"pending":[{"id":"0","path":["a","a","a","a","a"]}],"hasNext":true}"#, limits: limits)
                == "has a path of more than 4 steps")
        #expect(
            failure(
                #"{"data":{"a":{}},"pending":[{"id":"0","path":["a","a","a"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["a","a"],"data":{}}]}"#, limits: limits) == "has a path of more than 4 steps")
    }

    @Test("The deepest that may come, in the deepest place, is merged, written and let go of on the smallest of stacks")
    func deepest() async throws {
        func nest(_ count: Int, _ inner: String) -> String {
            String(repeating: #"{"a":"#, count: count) + inner + String(repeating: "}", count: count)
        }
        let path = "[" + Array(repeating: "\"a\"", count: 97).joined(separator: ",") + "]"
        let first = #"{"data":\#(nest(97, "{}")),"pending":[{"id":"0","path":\#(path)}],"hasNext":true}"#
        let second = #"{"incremental":[{"id":"0","data":\#(nest(96, "1"))}],"completed":[{"id":"0"}],"hasNext":false}"#
        let counts = await withCheckedContinuation { continuation in
            let thread = Thread {
                var merger = IncrementalMerger(), written = 0
                for payload in [first, second] {
                    guard let tree = try? JSONValue(payload: Data(payload.utf8)) else { break }
                    _ = try? merger.merge(tree)
                    written = merger.data?.json.count ?? 0
                }
                continuation.resume(returning: [merger.data?.valueCount, written, merger.data?.hashValue == nil ? 0 : 1])
            }
            // Half of what tasks have on Apple's platforms. A sanitizer's frames are larger.
            thread.stackSize = 256 * 1024 * (ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == nil ? 1 : 8)
            thread.start()
        }
        #expect(counts == [97 + 96 + 1, (97 + 96) * 6 + 1, 1])
    }
}
