internal import MartletEssentials

/// Responses that cost a client far more than a server.
enum HostileReply {
    /// 1 MB that expands to 300 MB between two codings and to 5 MB in the end.
    static var nested: MockReply { coded("deflate, deflate", WastefulDeflate.unit, 3000) }

    /// 4 KB that expand to 300 MB between three codings and to 5 MB in the end.
    static var nestedTwice: MockReply { coded("deflate, deflate, deflate", WastefulDeflate.codedUnits, 6) }

    /// 118 KB that expand to 100 MB.
    static var bomb: MockReply { .data(CodedSample.bomb, headers: ["Content-Encoding": "gzip"]) }

    /// 100,000 interim responses without a final response.
    static var interims: MockReply { repeated("", "HTTP/1.1 103 Early Hints\r\n\r\n", 100_000) }

    /// A head of 100,000 fields.
    static var fields: MockReply { repeated("HTTP/1.1 200 OK\r\n", "A: b\r\n", 100_000) }

    /// 200,000 chunks of one byte.
    static var chunks: MockReply { repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", 200_000) }

    /// 100,000 fields after a body.
    static var trailers: MockReply {
        repeated("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", "A: b\r\n", 100_000)
    }

    private static func coded(_ coding: String, _ unit: Data, _ count: Int) -> MockReply {
        .data(Data((0..<count).map { _ in unit }.joined()), headers: ["Content-Encoding": coding])
    }

    private static func repeated(_ start: String, _ unit: String, _ count: Int) -> MockReply {
        .raw(start + String(repeating: unit, count: count))
    }
}
