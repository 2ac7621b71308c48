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
            return words.text.replacing("a payload of the response ", with: "")
        } catch { return "another error: \(error)" }
        return "none"
    }

    @Test(
        "Each malformed payload has a specific message, and none traps",
        arguments: [
            (#"{"incremental":[{"id":"9","data":{}}],"hasNext":true}"#, "has data for an ID that was not announced"),
            (#"{"completed":[{"id":"9"}],"hasNext":true}"#, "completes an ID that was not announced"),
            (#"{"completed":[{"id":"0"},{"id":"0"}],"hasNext":true}"#, "completes an ID that was not announced"),
            (#"{"pending":[{"id":"0","path":[]}],"hasNext":true}"#, "announces an ID twice"),
            (#"{"incremental":[{"id":"0","items":[1]}],"hasNext":true}"#, "has a patch that has items for a value that is not a list"),
            (#"{"incremental":[{"id":"l","data":{}}],"hasNext":true}"#, "has a patch that has data for a value that is not an object"),
            (#"{"incremental":[{"id":"0","data":[1]}],"hasNext":true}"#, "has a patch that has data that is not an object"),
            (#"{"incremental":[{"id":"0","items":7}],"hasNext":true}"#, "has items that are not a list"),
            (#"{"incremental":[{"id":"0","subPath":["x"],"data":{}}]}"#, "has a patch that leads to a field that does not exist"),
            (#"{"incremental":[{"id":"0","subPath":["nest"],"data":{}}]}"#, "has a patch that has data for a value that is not an object"),
            (#"{"incremental":[{"id":"0","subPath":["nest","x"],"data":{}}]}"#, "has a patch that leads into null"),
            (#"{"incremental":[{"id":"0","subPath":[0],"data":{}}]}"#, "has a patch that leads into a value of another kind"),
            (
                #"{"incremental":[{"id":"0","subPath":["id","x"],"data":{}}]}"#,
                "has a patch that leads into a value of another kind"
            ),
            (#"{"incremental":[{"id":"l","subPath":[1],"data":{}}]}"#, "has a patch that leads to an element that does not exist"),
            (
                #"{"incremental":[{"path":["list",2],"items":[1]}]}"#,
                "has a patch that has items beyond the end of the list"
            ),
            (
                #"{"incremental":[{"path":["list",4611686018427387904],"items":[1]}]}"#,
                "has a patch that has items beyond the end of the list"
            ),
            (
                #"{"path":["list",9223372036854775807],"data":1}"#,
                "has a patch that has items beyond the end of the list"
            ),
            (#"{"path":["list",9223372036854775808],"data":1}"#, "has a path with a number that is not an index"),
            (#"{"path":["list",-1],"data":1}"#, "has a path with a number that is not an index"),
            (#"{"path":["list",1.5],"data":1}"#, "has a path with a number that is not an index"),
            (#"{"path":["list",null],"data":1}"#, "has a path with something that is neither a name nor an index"),
            (#"{"path":"hero","data":{}}"#, "has a path that is not a list"),
            (#"{"path":[0],"data":{}}"#, "has a patch that has items for a value that is not a list"),
            (#"{"incremental":[{"data":{}}],"hasNext":true}"#, "has a patch without an ID or a path"),
            (#"{"incremental":[7],"hasNext":true}"#, "has a patch without an ID or a path"),
            (#"{"incremental":{},"hasNext":true}"#, "has “incremental” that is not a list"),
            (#"{"pending":7,"hasNext":true}"#, "has “pending” that is not a list"),
            (#"{"pending":[{"path":[]}],"hasNext":true}"#, "has an item without an ID"),
            (#"{"completed":[{"id":null}],"hasNext":true}"#, "has an item without an ID"),
            (#"{"errors":[{}],"hasNext":true}"#, "has an error without a message"),
            (#"{"errors":"no","hasNext":true}"#, "has “errors” that is not a list"),
            (#"{"data":{"other":1},"hasNext":true}"#, "has initial data, which an earlier payload had too"),
            ("[]", "is not an object"), ("null", "is not an object"), ("7", "is not an object"),
        ])
    func words(payload: String, expected: String) {
        #expect(failure(Self.first, payload) == expected)
    }

    @Test("Patches for null or missing data are errors")
    func noData() {
        #expect(
            failure(#"{"data":null,"errors":[{"message":"a"}],"hasNext":true}"#, #"{"path":[],"data":{"a":1},"hasNext":false}"#)
                == "has a patch that leads into data that is null")
        #expect(failure(#"{"path":["a"],"data":{"a":1},"hasNext":true}"#) == "has a patch that leads into data that is null")
    }

    @Test("A payload after the last one is an error")
    func afterTheLast() {
        #expect(failure(#"{"data":{},"hasNext":false}"#, #"{"hasNext":false}"#) == "follows the last payload")
    }

    @Test("The numbers of announcements, errors, values and path segments are limited")
    func limits() {
        let limits = IncrementalLimits(tree: JSONLimits(maxDepth: 4, maxValues: 100), pending: 2, errors: 2)
        let announcements = (1...3).map { #"{"id":"\#($0)","path":[]}"# }
        func pending(_ count: Int) -> String {
            #"{"data":{},"pending":[\#(announcements.prefix(count).joined(separator: ","))],"hasNext":true}"#
        }
        #expect(failure(pending(2), limits: limits) == "none")
        #expect(failure(pending(3), limits: limits) == "announces more than 2 results")
        let error = #"{"errors":[{"message":"a"},{"message":"b"}],"hasNext":true}"#
        #expect(failure(#"{"data":{},"hasNext":true}"#, error, limits: limits) == "none")
        #expect(failure(#"{"data":{},"hasNext":true}"#, error, error, limits: limits) == "brings the number of errors above 2")
        let heartbeats = (0..<60).map { _ in #"{"hasNext":true}"# }
        var merger = IncrementalMerger(limits: limits)
        #expect(throws: HTTPError.self) {
            for heartbeat in heartbeats { try merger.merge(try JSONValue(payload: Data(heartbeat.utf8))) }
        }
        #expect(
            failure(#"{"data":{"a":{}},"pending":[{"id":"0","path":["a","a","a","a","a"]}],"hasNext":true}"#, limits: limits)
                == "has a path of more than 4 segments")
        #expect(
            failure(
                #"{"data":{"a":{}},"pending":[{"id":"0","path":["a","a","a"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["a","a"],"data":{}}]}"#, limits: limits) == "has a path of more than 4 segments")
    }

    @Test("The deepest allowed payload at the deepest allowed place is merged, written and released on a small stack")
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
            // Half the stack of a task on Apple's platforms. A sanitizer needs larger frames.
            thread.stackSize = 256 * 1024 * (ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == nil ? 1 : 8)
            thread.start()
        }
        #expect(counts == [97 + 96 + 1, (97 + 96) * 6 + 1, 1])
    }
}
