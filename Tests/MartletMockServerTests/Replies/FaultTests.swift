import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletMockServer

/// Tests how faults change a reply.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    @Test("gzip of stored blocks has correct sizes and checksum (RFC 1952), also if it is empty or has many blocks")
    func gzip() {
        let small = Array(StoredGzip.wrapped(Data("123456789".utf8)))
        #expect(small[..<10] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        #expect(small[10..<15] == [1, 9, 0, 0xF6, 0xFF] && small[15..<24] == Array("123456789".utf8)[...])
        // The check value given in descriptions of CRC-32.
        #expect(small[24...] == [0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0])
        #expect(Array(StoredGzip.wrapped(Data())).dropFirst(10) == [1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0])
        let large = Array(StoredGzip.wrapped(Data(repeating: 7, count: 70_000)))
        #expect(large.count == 10 + 5 + 65_535 + 5 + 4465 + 8)
        #expect(large[10] == 0 && large[10 + 5 + 65_535] == 1)
    }

    @Test("One byte of the content or the checksum is wrong, repeatably for a seed", arguments: [0, 1, 9, 70_000])
    func corrupted(size: Int) {
        let gzip = StoredGzip.wrapped(Data(repeating: 7, count: size))
        let whole = Array(gzip)
        var places: Set<Int> = []
        for seed in 0..<(size > 1000 ? 8 : 40) as Range<UInt64> {
            let bytes = Array(StoredGzip.corrupted(gzip, seed: seed))
            #expect(Data(bytes) == StoredGzip.corrupted(gzip, seed: seed))
            let wrong = whole.indices.filter { whole[$0] != bytes[$0] }
            #expect(wrong.count == 1 && bytes.count == whole.count)
            guard let place = wrong.first else { continue }
            #expect(place >= 15 && (place - 10) % 65_540 >= 5)
            places.insert(place)
        }
        #expect(places.count > 4)
    }

    @Test("Damaged gzip replaces content in memory, in pieces and from a stream; coded content is damaged directly")
    func gzipReplies() async throws {
        let whole = StoredGzip.wrapped(Data("hello".utf8))
        for reply in [MockReply.text("hello"), .stream("hel", "lo"), .stream { HTTPBody("hello") }] {
            let cut = reply.with(.cutGzip(atByte: 12))
            #expect(cut.headers[.contentEncoding] == "gzip")
            let content: Data? =
                if case .stream(let make) = cut.content { try await make().collect() } else { cut.wholeContent }
            #expect(content == whole.prefix(12))
        }
        let coded = MockReply.data(whole, headers: [.contentEncoding: "gzip", .contentLength: "28"])
        #expect(coded.with(.cutGzip()).wholeContent == whole.prefix(14) && coded.with(.cutGzip()).headers[.contentLength] == nil)
        let wrong = try #require(coded.with(.corruptGzip(seed: 3)).wholeContent)
        #expect(wrong.prefix(20) == whole.prefix(20) && wrong != whole && wrong.count == whole.count)
    }

    @Test("A wrong length is based on the content, or on the length in the reply")
    func lengths() {
        let long = MockReply.text("hello").with(.contentLength(offBy: 3))
        #expect(long.headers[.contentLength] == "8" && long.disconnect?.bodyBytes == 5)
        let short = MockReply.stream("hel", "lo").with(.contentLength(offBy: -2))
        #expect(short.headers[.contentLength] == "3" && short.disconnect == nil)
        #expect(MockReply.text("hello").with(.contentLength(offBy: -9)).headers[.contentLength] == "0")
        let made = MockReply.stream { HTTPBody("hello") }
        #expect(made.with(.contentLength(offBy: 3)).headers[.contentLength] == nil)
    }

    @Test("A length that would overflow is the largest number")
    func longestLength() {
        #expect(MockReply.text("x").with(.contentLength(offBy: .max)).headers[.contentLength] == "\(Int.max)")
        #expect(MockReply.text("x").with(.contentLength(offBy: .min)).headers[.contentLength] == "0")
    }

    @Test("Faults can be combined, and a replaced reply keeps nothing of the original")
    func combined() {
        let reply = MockReply.text("x").delayed(by: .seconds(1)).with(.delay(.seconds(2)).and(.reset))
        #expect(reply.delays.head == .seconds(3) && reply.disconnect?.isReset == true)
        #expect("\(Fault.delay(.seconds(2)).and(.reset))" == "delay(2.0 seconds).and(reset)")
        let reset = Fault.drop(atByte: 2, reset: true), dropped = MockReply.text("abc").with(reset)
        #expect(dropped.disconnect?.bodyBytes == 2 && dropped.disconnect?.isReset == true && "\(reset)" == "drop(atByte: 2, reset: true)")
        #expect(MockReply.text("abc").with(.drop(atByte: 2)).disconnect?.isReset == false)
        let other = MockReply.text("x").with(.reply(.status(503)))
        #expect(other.status == 503 && other.wholeContent == Data())
    }

    @Test("A mock transport supports the faults that need no socket")
    func mockTransport() async throws {
        let time = ManualTime()
        let reply = MockReply.text("hello").with(.delay(.seconds(2)).and(.contentLength(offBy: 1)))
        let transport = MockTransport(reply, .text("hello").with(.drop(atByte: 2)), .text("x").with(.reset), time: time)
        let request = HTTPRequest(url: URL(string: "https://api.example/x")!)

        for stage in [ErrorContext.Stage.body, .body, .exchange] {
            let error = await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionLost))) {
                try await transport.send(request)
            }
            #expect(error?.stage == stage)
        }
        #expect(time.sleeps == [.seconds(2)])
    }
}
