import Foundation
import MartletJSON
import Testing

@Suite("JSON encoding errors", .timeLimit(.minutes(5)))
struct JSONEncodingErrorsTests {
    /// The coding path and description of the error that encoding throws.
    private func failure(
        _ value: some Encodable, _ encoder: JSONBodyEncoder = JSONBodyEncoder()
    ) throws -> (path: [String], text: String) {
        let error = try #require(throws: EncodingError.self) { try encoder.encode(value) }
        guard case .invalidValue(_, let context) = error else { throw error }
        return (context.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }, context.debugDescription)
    }

    private func foundationPath(_ value: some Encodable) throws -> [String] {
        let error = try #require(throws: EncodingError.self) { try JSONEncoder().encode(value) }
        guard case .invalidValue(_, let context) = error else { throw error }
        return context.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }
    }

    // MARK: Values

    @Test("Numbers that JSON cannot represent throw with the same path as in Foundation")
    func nonConforming() throws {
        struct Keyed: Encodable { var number: Double?, list: [Double]?, float: Float?, date: Date? }
        for value in [
            Keyed(number: .nan), Keyed(list: [1, .infinity]), Keyed(float: -.infinity),
            Keyed(date: Date(timeIntervalSinceReferenceDate: .nan)),
        ] {
            #expect(try failure(value).path == foundationPath(value))
            #expect(try failure([value]).path == foundationPath([value]))
        }
        #expect(try failure([[1.0], [2.0, .nan]]).path == ["Index 1/1", "Index 1/1"])
        #expect(try failure([Double?.some(.nan)]).path == foundationPath([Double?.some(.nan)]))
        #expect(try failure(Double.nan).path == [])
        #expect(try failure([1.5: Double.nan]).path.last == "Index 1/1")
        #expect(try failure(["a": ["b": [Float.nan]]]).path == ["a/-1", "b/-1", "Index 0/0"])
        #expect(try failure([1: [Float.nan]]).path == ["1/1", "Index 0/0"])
        #expect(try failure([Decimal.nan]).path == ["Index 0/0"])
    }

    @Test("A top-level value that encodes nothing throws")
    func emptyRoot() throws {
        #expect(try failure(Scripted { _ in }).text == "Top-level Scripted did not encode any values.")
        #expect(try failure(Scripted { _ = $0.singleValueContainer() }).path == [])
    }

    @Test("The error of a value that encodes nothing has the value, as in Foundation")
    func emptyRootValue() throws {
        struct Empty: Encodable, Equatable {
            let name: String
            func encode(to encoder: any Encoder) {}
        }
        func value(_ error: EncodingError?) -> Empty? {
            guard case .invalidValue(let value, _) = error else { return nil }
            return value as? Empty
        }
        let martlet = #expect(throws: EncodingError.self) { try JSONBodyEncoder().encode(Empty(name: "a")) }
        let foundation = #expect(throws: EncodingError.self) { try JSONEncoder().encode(Empty(name: "a")) }
        #expect(value(martlet) == Empty(name: "a"))
        #expect(value(foundation) == Empty(name: "a"))
    }

    @Test("Errors of user code are passed on")
    func userErrors() {
        #expect(throws: CancellationError.self) { try JSONBodyEncoder().encode(["a": [Scripted { _ in throw CancellationError() }]]) }
    }

    // MARK: Depth

    private final class Deep: Encodable {
        let levels: Int
        init(_ levels: Int) { self.levels = levels }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if levels > 1 { try container.encode(Deep(levels - 1)) }
        }
    }

    @Test("Nesting is limited to maxDepth arrays and objects")
    func depth() throws {
        var encoder = JSONBodyEncoder()
        encoder.maxDepth = 40
        #expect(try encoder.encode(Deep(40)).count == 80)
        #expect(try failure(Deep(41), encoder).path.count == 40)
        #expect(try failure(Scripted { encoder in try Scripted.nestForever(encoder) }, encoder).text.contains("40"))
        #expect(try failure(Scripted { encoder in try Scripted.wrapForever(encoder) }, encoder).text.contains("40"))
        #expect(throws: EncodingError.self) { try encoder.encode(Scripted { Scripted.superForever($0) }) }
        encoder.maxDepth = 1
        #expect(throws: EncodingError.self) { try encoder.encode([["a": 1]]) }
        #expect(throws: EncodingError.self) { try encoder.encode([[1.5]]) }
        #expect(try encoder.encode([1]).count == 3)
        encoder.maxDepth = 0
        #expect(try encoder.encode(1).count == 1)
        #expect(throws: EncodingError.self) { try encoder.encode([Int]()) }
        for limit in [Int.min, -1, Int.max] {
            encoder.maxDepth = limit
            #expect((try? encoder.encode([1])) == (limit > 0 ? Data("[1]".utf8) : nil))
        }
        #expect(try JSONBodyEncoder().encode(Deep(256)).count == 512)
        #expect(throws: EncodingError.self) { try JSONBodyEncoder().encode(Deep(257)) }
    }

    // MARK: Misuse

    @Test("Containers of different kinds for one value throw")
    func mixedKinds() throws {
        let scripts: [@Sendable (any Encoder) throws -> Void] = [
            { encoder in
                _ = encoder.container(keyedBy: TextKey.self)
                _ = encoder.unkeyedContainer()
            },
            { encoder in
                var array = encoder.unkeyedContainer()
                var object = encoder.container(keyedBy: TextKey.self)
                try? object.encode(1, forKey: "a")
                _ = object.nestedContainer(keyedBy: TextKey.self, forKey: "b")
                object.superEncoder().unkeyedContainer().nestedTwice()
                try array.encode(1)
            },
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try? single.encode(2)
            },
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encodeNil()
                _ = encoder.container(keyedBy: TextKey.self)
            },
            { encoder in
                _ = encoder.unkeyedContainer()
                var single = encoder.singleValueContainer()
                try single.encode("a")
            },
            { encoder in
                var object = encoder.container(keyedBy: TextKey.self)
                _ = object.nestedContainer(keyedBy: TextKey.self, forKey: "a")
                _ = object.nestedUnkeyedContainer(forKey: "a")
            },
        ]
        for script in scripts {
            #expect(try failure(["k": Scripted(script)]).path == ["k/-1"])
            #expect(throws: EncodingError.self) { try JSONBodyEncoder().encode(Scripted(script)) }
        }
    }

    @Test("A container kept after its value was encoded throws and changes nothing")
    func keptContainers() throws {
        let kept = KeptContainers()
        let value = Scripted { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Scripted(kept.keep))
            kept.use()
            let other = Scripted { encoder in
                kept.use()
                var container = encoder.unkeyedContainer()
                kept.use()
                try container.encode(1)
            }
            try container.encode(other)
            kept.use()
        }
        let result = String(decoding: try JSONBodyEncoder().encode([value]), as: UTF8.self)
        #expect(result == #"[[{"k":{},"a":[],"super":{},"s":{}},[1]]]"#)
        kept.use()
    }

    @Test("A container used while one of its values is encoded throws")
    func reentrantContainer() throws {
        let value = Scripted { encoder in
            var container = encoder.container(keyedBy: TextKey.self)
            let copy = container
            try container.encode(
                Scripted { inner in
                    var outer = copy
                    #expect(throws: EncodingError.self) { try outer.encode(1, forKey: "outer") }
                    #expect(outer.codingPath.isEmpty)
                    var array = inner.unkeyedContainer()
                    #expect(throws: EncodingError.self) { try outer.encode([1], forKey: "outer") }
                    try array.encode(2)
                }, forKey: "inner")
        }
        #expect(try JSONBodyEncoder().encode(value) == Data(#"{"inner":[2]}"#.utf8))
    }

    @Test("An encoder kept after a failed encoding throws")
    func keptAfterFailure() throws {
        var kept: (any Encoder)?
        let value = Scripted { encoder in
            kept = encoder
            throw CancellationError()
        }
        #expect(throws: CancellationError.self) { try JSONBodyEncoder().encode(value) }
        var container = try #require(kept).unkeyedContainer()
        #expect(throws: EncodingError.self) { try container.encode(1) }
    }
}

/// Containers and encoders that outlive the value they were made for.
private final class KeptContainers {
    var keyed: KeyedEncodingContainer<TextKey>?
    var array: (any UnkeyedEncodingContainer)?
    var single: (any SingleValueEncodingContainer)?
    var encoders: [any Encoder] = []

    func keep(_ encoder: any Encoder) {
        var container = encoder.container(keyedBy: TextKey.self)
        keyed = container.nestedContainer(keyedBy: TextKey.self, forKey: "k")
        array = container.nestedUnkeyedContainer(forKey: "a")
        single = container.superEncoder().singleValueContainer()
        encoders = [encoder, container.superEncoder(forKey: "s")]
    }

    /// Expects that writing fails.
    func use() {
        #expect(throws: EncodingError.self) { try keyed?.encode("x", forKey: "x") }
        #expect(throws: EncodingError.self) { try keyed?.encode(Scripted { _ in }, forKey: "x") }
        #expect(throws: EncodingError.self) { try array?.encode(1.5) }
        #expect(throws: EncodingError.self) { try array?.encode([1]) }
        #expect(throws: EncodingError.self) { try single?.encode("x") }
        for encoder in encoders {
            var container = encoder.unkeyedContainer()
            var single = encoder.singleValueContainer()
            #expect(throws: EncodingError.self) { try container.encode(1) }
            #expect(throws: EncodingError.self) { try single.encode(1) }
            _ = container.superEncoder().codingPath + encoder.codingPath
            #expect(container.count == 0)
            _ = keyed?.nestedUnkeyedContainer(forKey: "n")
            _ = array?.nestedContainer(keyedBy: TextKey.self)
        }
    }
}

extension UnkeyedEncodingContainer {
    fileprivate func nestedTwice() {
        var container = self
        var nested = container.nestedUnkeyedContainer()
        _ = nested.nestedContainer(keyedBy: TextKey.self)
    }
}

extension Scripted {
    fileprivate static func nestForever(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        try container.encode(Scripted(nestForever), forKey: "n")
    }

    fileprivate static func wrapForever(_ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Scripted(wrapForever))
    }

    fileprivate static func superForever(_ encoder: any Encoder) {
        var encoder = encoder
        for _ in 0..<10_000 {
            var container = encoder.unkeyedContainer()
            encoder = container.superEncoder()
        }
    }
}
