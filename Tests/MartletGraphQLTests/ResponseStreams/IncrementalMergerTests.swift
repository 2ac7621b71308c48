import Foundation
import Testing

@testable import MartletGraphQL

/// Merges payloads given as JSON text.
func merged(
    _ payloads: String..., limits: IncrementalLimits = IncrementalLimits()
) throws -> (data: String?, errors: [String], hasNext: Bool, merger: IncrementalMerger) {
    var merger = IncrementalMerger(limits: limits)
    for payload in payloads { try merger.merge(try JSONValue(payload: Data(payload.utf8))) }
    // Sorted for comparison.
    let data = try merger.data.map { String(decoding: try JSONBodyEncoder.json.encode(try JSONValue(parsing: $0.json)), as: UTF8.self) }
    return (data, merger.errors.map(\.message), merger.hasNext, merger)
}

@Suite("IncrementalMerger", .timeLimit(.minutes(5))) struct IncrementalMergerTests {
    // MARK: The current format

    @Test("Deferred data is added to the announced object")
    func deferred() throws {
        let state = try merged(
            #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true,"extensions":null}"#,
            #"{"hasNext":false,"completed":[{"id":"0"}],"incremental":[{"data":{"name":"Swift"},"id":"0","path":["hero"],"label":null}]}"#)
        #expect(state.data == #"{"hero":{"id":"1","name":"Swift"}}"# && !state.hasNext && state.merger.pendingCount == 0)
    }

    @Test("A sub-path continues the announced path, whatever path the item repeats")
    func subPath() throws {
        let state = try merged(
            #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"]},{"id":"1","path":["hero"]}],"hasNext":true}"#,
            #"{"hasNext":true,"completed":[{"id":"0"}],"incremental":[{"data":{"name":"S"},"id":"0"},{"data":{"mate":{"id":"2"}},"id":"0"}]}"#,
            #"{"hasNext":false,"completed":[{"id":"1"}],"incremental":[{"data":{"song":"x"},"id":"1","subPath":["mate"],"path":["hero"]}]}"#
        )
        #expect(state.data == #"{"hero":{"mate":{"id":"2","song":"x"},"name":"S"}}"#)
    }

    @Test("An announced object may arrive in the same payload or later")
    func announcedEarly() throws {
        let state = try merged(
            #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
            #"{"pending":[{"id":"1","path":["hero","mate"]}],"incremental":[{"id":"0","data":{"mate":{"a":1}}}],"completed":[{"id":"0"}],"hasNext":true}"#,
            #"{"incremental":[{"id":"1","data":{"b":2}}],"completed":[{"id":"1"}],"hasNext":false}"#)
        #expect(state.data == #"{"hero":{"mate":{"a":1,"b":2}}}"#)
    }

    @Test("Items are appended to the list")
    func streamed() throws {
        let state = try merged(
            #"{"data":{"list":[1]},"pending":[{"id":"0","path":["list"]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","items":[2,3]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","items":[18446744073709551615]}],"hasNext":true}"#,
            #"{"completed":[{"id":"0"}],"hasNext":false}"#)
        #expect(state.merger.data?.json == Data(#"{"list":[1,2,3,18446744073709551615]}"#.utf8))
    }

    @Test("List elements are found by index")
    func indexes() throws {
        let state = try merged(
            #"{"data":{"heroes":[{"id":1},{"id":2}]},"pending":[{"id":"0","path":["heroes",1]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","data":{"name":"b"}}],"completed":[{"id":"0"}],"hasNext":false}"#)
        #expect(state.data == #"{"heroes":[{"id":1},{"id":2,"name":"b"}]}"#)
    }

    @Test("Errors of all payloads are kept in order, and a failed part leaves the data unchanged")
    func errors() throws {
        let state = try merged(
            #"{"data":{"hero":{"id":"1"}},"errors":[{"message":"a"}],"pending":[{"id":"0","path":["hero"]},{"id":"1","path":["hero"]}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","data":{"nest":null},"errors":[{"message":"b","path":["hero","nest"]}]}],"hasNext":true}"#,
            #"{"completed":[{"id":"0"},{"id":"1","errors":[{"message":"c"}]}],"hasNext":false}"#)
        #expect(state.data == #"{"hero":{"id":"1","nest":null}}"# && state.errors == ["a", "b", "c"])
        #expect(state.merger.errors[1].path == ["hero", "nest"])
    }

    @Test("Extensions of all payloads are merged, and the last value of each member wins")
    func extensions() throws {
        let state = try merged(
            #"{"data":{},"extensions":{"cost":1,"trace":"x"},"hasNext":true}"#, #"{"hasNext":false,"extensions":{"cost":2}}"#)
        #expect(state.merger.extensions == ["cost": 2, "trace": "x"])
    }

    @Test("IDs may be numbers, and may be reused after their result is complete")
    func ids() throws {
        let state = try merged(
            #"{"data":{"a":{},"b":{}},"pending":[{"id":0,"path":["a"]}],"hasNext":true}"#,
            #"{"incremental":[{"id":0,"data":{"x":1}}],"completed":[{"id":0}],"hasNext":true}"#,
            #"{"pending":[{"id":0,"path":["b"]}],"incremental":[{"id":0,"data":{"y":1}}],"completed":[{"id":0}],"hasNext":false}"#)
        #expect(state.data == #"{"a":{"x":1},"b":{"y":1}}"#)
    }

    // MARK: The older formats

    @Test("In the older format each item has a path")
    func older() throws {
        let state = try merged(
            #"{"data":{"person":{"name":"L","films":["a"]}},"hasNext":true}"#,
            #"{"incremental":[{"label":"h","path":["person"],"data":{"home":{"n":"T"}}},{"path":["person","films",1],"items":["b","c"]}],"hasNext":true}"#,
            #"{"incremental":[{"path":["person","films",3],"items":["d"],"errors":[{"message":"e"}]}],"hasNext":false}"#)
        #expect(state.data == #"{"person":{"films":["a","b","c","d"],"home":{"n":"T"},"name":"L"}}"#)
        #expect(state.errors == ["e"])
    }

    @Test("In the oldest format a payload is itself an item, also for a list element")
    func oldest() throws {
        let state = try merged(
            #"{"data":{"hero":{"id":1},"list":[]},"hasNext":true}"#, #"{"path":["hero"],"data":{"name":"S"},"label":"x","hasNext":true}"#,
            #"{"path":["list",0],"data":"a","hasNext":true}"#, #"{"path":["list",1],"data":{"b":1},"hasNext":true}"#,
            #"{"path":["list",1],"data":{"c":2},"hasNext":true}"#, #"{"path":[],"data":{"root":true},"hasNext":true}"#,
            #"{"hasNext":false}"#)
        #expect(state.data == #"{"hero":{"id":1,"name":"S"},"list":["a",{"b":1,"c":2}],"root":true}"#)
    }

    @Test("In the older formats a failed item is null, removes nothing, and keeps its errors")
    func olderFailures() throws {
        let state = try merged(
            #"{"data":{"hero":{"id":1},"list":[1]},"hasNext":true}"#,
            #"{"incremental":[{"path":["hero"],"data":null,"errors":[{"message":"a"}]},{"path":["list",1],"items":null,"errors":[{"message":"b"}]}],"hasNext":false}"#
        )
        #expect(state.data == #"{"hero":{"id":1},"list":[1]}"# && state.errors == ["a", "b"])
    }

    @Test("Overlapping data is merged: objects by member, lists by element, and null removes nothing")
    func overlap() throws {
        let state = try merged(
            #"{"data":{"h":{"mate":{"a":1},"l":[{"x":1},{"x":2}],"n":7}},"hasNext":true}"#,
            #"{"incremental":[{"path":["h"],"data":{"mate":{"b":2},"l":[{"y":1},null,{"y":3}],"n":null}}],"hasNext":false}"#)
        #expect(state.data == #"{"h":{"l":[{"x":1,"y":1},{"x":2},{"y":3}],"mate":{"a":1,"b":2},"n":7}}"#)
    }

    @Test("Merging reports a change, but not for a payload that only says that more follows")
    func changes() throws {
        var merger = IncrementalMerger()
        func merge(_ text: String) throws -> Bool { try merger.merge(try JSONValue(payload: Data(text.utf8))) }
        #expect(try merge(#"{"data":{"a":{}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#))
        #expect(try !merge(#"{"hasNext":true}"#))
        #expect(try !merge(#"{"pending":[{"id":"1","path":["a"]}],"completed":[{"id":"0"}],"hasNext":true}"#))
        #expect(try merge(#"{"incremental":[{"id":"1","data":{"b":1}}],"hasNext":true}"#))
        #expect(try merge(#"{"hasNext":false}"#))
    }

    @Test("Without hasNext, more follows while results are announced")
    func noHasNext() throws {
        #expect(try !merged(#"{"data":{}}"#).hasNext)
        #expect(try merged(#"{"data":{"a":{}},"pending":[{"id":"0","path":["a"]}]}"#).hasNext)
    }
}
