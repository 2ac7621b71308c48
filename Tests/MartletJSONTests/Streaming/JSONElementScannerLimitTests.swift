import Foundation
import Testing

@testable import MartletJSON

@Suite("Limits of streamed JSON arrays", .timeLimit(.minutes(5)))
struct JSONElementScannerLimitTests {
    @Test(
        "An element may have exactly as many bytes as the limit, however it is split",
        arguments: ["12345", "\"abc\"", "[1,2]", "{\"a\"}", "false", "[[],[[1]]]", "\"ab😀\""])
    func elementLimit(element: String) {
        let document = Data("[1, \(element) ,2]".utf8)
        let size = element.utf8.count
        let tooLarge = JSONElementError(.elementTooLarge(limit: size - 1), at: JSONPosition(offset: 4, line: 1, column: 5))
        let isValid = element != "{\"a\"}"
        for chunks in splits(of: document) {
            let exact = ScanResult(chunks, by: JSONElementScanner(maxElementBytes: size))
            #expect(isValid ? exact.texts == ["1", element, "2"] : exact.error?.kind == .syntax(.colonExpected))
            let below = ScanResult(chunks, by: JSONElementScanner(maxElementBytes: size - 1))
            #expect(isValid ? below.error == tooLarge : below.error?.kind == .syntax(.colonExpected))
        }
    }

    @Test("Extreme limits are accepted", arguments: [Int.min, -1, 0, Int.max])
    func extremeLimits(limit: Int) {
        let result = ScanResult("[1]", maxElementBytes: limit, maxDepth: limit == .max ? .max : 1)
        #expect(result.error?.kind == (limit == .max ? nil : .elementTooLarge(limit: 0)))
    }

    @Test("A hundred megabytes of opening brackets fail at the depth limit in the first chunk")
    func endlessNesting() {
        var chunkCount = 0
        let chunks = (0..<1600).lazy.map { _ in
            chunkCount += 1
            return Data(repeating: UInt8(ascii: "["), count: 65_536)
        }
        let result = ScanResult(chunks, by: JSONElementScanner(maxElementBytes: 1 << 20))
        #expect(result.error == JSONElementError(.tooDeep(limit: 512), at: JSONPosition(offset: 512, line: 1, column: 513)))
        #expect(chunkCount == 1)
    }

    @Test(
        "Skipped names and values of any size are not stored",
        arguments: ["{\"a\":\"", "{\"", "{\"a\":0.", "{\"birds\":[],\"a\":[\"", "{\"a\":[[{\"b\":-1e", "{", "{\"birds\":[],\"birds\":[\""])
    func endlessSkipping(start: String) throws {
        var scanner = JSONElementScanner(keyPath: "birds", maxElementBytes: 100)
        scanner.append(Data(start.utf8))
        let filler = UInt8(ascii: start == "{" ? " " : "1")
        for _ in 0..<64 {
            #expect(try scanner.next() == nil)
            #expect(scanner.bufferedBytes <= 32)
            scanner.append(Data(repeating: filler, count: 65_536))
        }
        for _ in 0..<1000 {
            scanner.append(Data([filler]))
            #expect(try scanner.next() == nil)
            #expect(scanner.bufferedBytes <= 32)
        }
    }

    @Test("An endless element fails once it exceeds the limit")
    func endlessElement() throws {
        var scanner = JSONElementScanner(maxElementBytes: 100_000)
        scanner.append(Data("[1,\"".utf8))
        #expect(try scanner.next() != nil)
        let chunk = Data(repeating: UInt8(ascii: "a"), count: 60_000)
        scanner.append(chunk)
        #expect(try scanner.next() == nil)
        #expect(scanner.bufferedBytes == 60_001)
        scanner.append(chunk)
        let error = JSONElementError(.elementTooLarge(limit: 100_000), at: JSONPosition(offset: 3, line: 1, column: 4))
        #expect(throws: error) { try scanner.next() }
        #expect(scanner.bufferedBytes == 0)
    }

    @Test("A million small elements are returned from one chunk and from small chunks", arguments: [1 << 24, 1000, 3])
    func manyElements(chunkSize: Int) throws {
        let document = Data("[".utf8) + Data(repeatElement(Array("1,".utf8), count: 999_999).joined()) + Data("1]".utf8)
        var scanner = JSONElementScanner(maxElementBytes: 10)
        var count = 0
        for start in stride(from: 0, to: document.count, by: chunkSize) {
            scanner.append(document[start..<min(document.count, start + chunkSize)])
            while let element = try scanner.next() { count += element.bytes.count }
        }
        try scanner.finish()
        #expect(count == 1_000_000)
    }
}
