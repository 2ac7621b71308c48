import Testing

@testable import MartletJSON

@Suite("JSON limits", .timeLimit(.minutes(5)))
struct JSONLimitsTests {
    private func nested(_ depth: Int, _ open: String, _ close: String, inside: String = "") -> String {
        String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
    }

    @Test("The last allowed level is accepted and the next one is refused")
    func depth() {
        for (open, close, inside) in [("[", "]", ""), ("[", "]", "1"), ("{\"a\":", "}", "1"), ("[{\"a\":", "}]", "[]")] {
            for limit in [1, 2, 7, 512] {
                let levels = open.count > 4 && open.hasPrefix("[{") ? 2 : 1, extra = inside == "[]" ? 1 : 0
                let count = (limit - extra) / levels
                guard count * levels + extra == limit else { continue }
                let limits = JSONLimits(maxDepth: limit), text = nested(count, open, close, inside: inside)
                #expect(syntaxError(in: text.utf8, limits: limits) == nil)
                #expect(syntaxError(in: "[\(text)]".utf8, limits: limits)?.kind == .tooDeep(limit: limit))
            }
        }
    }

    @Test("Empty containers count as levels, and siblings do not add up")
    func siblings() {
        let limits = JSONLimits(maxDepth: 2)
        #expect(syntaxError(in: "[[],[],{},[1],{\"a\":1},[]]".utf8, limits: limits) == nil)
        #expect(syntaxError(in: "[[],[[]]]".utf8, limits: limits)?.position.offset == 5)
        #expect(syntaxError(in: "[[],{\"a\":{}}]".utf8, limits: limits)?.position.offset == 9)
        #expect(syntaxError(in: "[[],{\"a\":{}}]".utf8, limits: limits)?.path == "$[1].a")
    }

    @Test("With a depth of 0, only scalars are accepted")
    func scalarsOnly() {
        for limit in [0, -1] {
            let limits = JSONLimits(maxDepth: limit)
            #expect(syntaxError(in: "1".utf8, limits: limits) == nil)
            #expect(syntaxError(in: "[]".utf8, limits: limits)?.kind == .tooDeep(limit: limit))
            #expect(syntaxError(in: "{}".utf8, limits: limits)?.kind == .tooDeep(limit: limit))
        }
    }

    @Test("The last allowed value is accepted and the next one is refused")
    func values() {
        for (text, count) in [("1", 1), ("[]", 1), ("[1]", 2), ("[1,2,3]", 4), ("{\"a\":1}", 2), ("{\"a\":[1],\"b\":{}}", 4)] {
            #expect(syntaxError(in: text.utf8, limits: JSONLimits(maxValues: count)) == nil)
            let limits = JSONLimits(maxValues: count - 1)
            #expect(syntaxError(in: text.utf8, limits: limits)?.kind == .tooManyValues(limit: count - 1))
        }
        #expect(syntaxError(in: "1".utf8, limits: JSONLimits(maxValues: -1))?.kind == .tooManyValues(limit: -1))
        #expect(syntaxError(in: "[1]".utf8, limits: JSONLimits(maxDepth: .max, maxValues: .max)) == nil)
    }

    @Test("The index has at most two entries of eight bytes for each value")
    func entries() throws {
        #expect(MemoryLayout<JSONEntry>.size == 8)
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let value = SampleValue.random(&random, depth: 5)
            try withIndex(value.text(&random)) { #expect($0.count <= 2 * value.valueCount) }
        }
        for text in ["[" + String(repeating: "0,", count: 50_000) + "0]", "{" + String(repeating: "\"\":0,", count: 50_000) + "\"\":0}"] {
            try withIndex(text) { #expect($0.count <= 2 * 50_002) }
        }
    }

    @Test("The memory of a finished index is limited by its values, not by the length of the document")
    func memory() throws {
        let text = "[\"" + String(repeating: "x", count: 2_000_000) + "\"]"
        try withExactMemory(text.utf8) { document in
            var indexer = JSONIndexer(document, limits: JSONLimits())
            try indexer.run()
            defer { indexer.entries.deallocate() }
            #expect(indexer.count == 2)
            #expect(indexer.capacity <= 2 * 2 + 8_192)
        }
    }
}
