import Foundation
import MartletCurl
import MartletHTTP
import TestSupport
import Testing

@testable import MartletWire

/// Both engines read the same bytes. The reader alone is tested in `ResponseReaderTests`.
@Suite("WireTransport: malformed framing beside libcurl", .timeLimit(.minutes(5)))
struct FramingTests {
    /// What a transport makes of a response.
    private enum Verdict: Equatable {
        case response(Int, Data)
        case refused
        /// The connection ended early.
        case lost

        static func of(_ transport: any Transport, _ url: URL) async -> Verdict {
            do throws(HTTPError) {
                let response = try await transport.send(HTTPRequest(url: url))
                return .response(response.status.rawValue, try await response.body.collect())
            } catch {
                if case .networkError = error { return .lost }
                return .refused
            }
        }
    }

    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.1  200 OK", "HTTP/1.1 200OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
        "HTTP/1.1 0200 OK", "HTTP/1.1 abc OK", "HTTP/1.1 099 OK", "HTTP/2 200 OK", "HTTP/3 200 OK", "HTTP/0.9 200 OK", "http/1.1 200 OK",
        "ICY 200 OK", " HTTP/1.1 200 OK", "HTTP/1.1", "GET / HTTP/1.1", "HTTP/1.1 600 Odd", "HTTP/1.1 999 Odd",
    ].map { "\($0)\r\nContent-Length: 2\r\n\r\nok" }

    private static let fields = [
        "Content-Length: 2", "Content-Length:2", "content-length: 2", "Content-Length : 2", "Content-Length\t: 2", "Content-Length: 2, 2",
        "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2, 3", "Content-Length: -2",
        "Content-Length: +2", "Content-Length: 0x2", "Content-Length: two", "Content-Length:", "Content-Length: 99999999999999999999",
        "Content-Length: 2\r\n 2", "Content-Length: 2 2", " Content-Length: 2", "Content-Length: 2\r\nA\r\nB: 1",
        ": 1\r\nContent-Length: 2",
        "Content-Length: 2\nA: 1", "Content-Length: 2\r\nA: b\u{0}c", "Content-Length: 1", "Content-Length: 3", "A: 1",
        "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity", "Transfer-Encoding : chunked", "Transfer-Encoding: chunked\r\n , identity",
    ].map { "HTTP/1.1 200 OK\r\n\($0)\r\n\r\nok" }

    private static let chunks = [
        "2\r\nok\r\n0\r\n\r\n", "2;a=b\r\nok\r\n0\r\n\r\n", "2 \r\nok\r\n0\r\n\r\n", "02\r\nok\r\n0\r\n\r\n", "2\nok\n0\n\n",
        "2\r\nok\r\n0\r\nA: 1\r\n\r\n",
        "0x2\r\nok\r\n0\r\n\r\n", "-2\r\nok\r\n0\r\n\r\n", "+2\r\nok\r\n0\r\n\r\n", "2 x\r\nok\r\n0\r\n\r\n", "2\r\nokk\r\n0\r\n\r\n",
        "2\r\nok0\r\n\r\n",
        "\r\n2\r\nok\r\n0\r\n\r\n", "x\r\nok\r\n0\r\n\r\n", "10000000000000002\r\nok\r\n0\r\n\r\n", "2;a=\"\r\"\r\nok\r\n0\r\n\r\n",
        "2\r\nok\r\n", "2\r\nok\r\n0\r\n",
        "2\r\nok\r\n0", "2\r\no", "", "0\r\n\r\n",
    ].flatMap { body in
        [("1.1", ""), ("1.1", "Content-Length: 2\r\n"), ("1.0", "")].map {
            "HTTP/\($0.0) 200 OK\r\n\($0.1)Transfer-Encoding: chunked\r\n\r\n\(body)"
        }
    }

    private static let others = [
        "", "\r\n", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nok", "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.0 200 OK\r\n\r\nok",
    ]

    @Test("Each response has the verdict of libcurl, or a stricter one", arguments: statusLines + fields + chunks + others)
    func verdicts(response: String) async {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(Data(response.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
        }
        let curl = await Verdict.of(CurlTransport(), server.url()), wire = await Verdict.of(WireTransport(), server.url())
        // An incomplete response may be refused at once, or when its connection ends.
        if case .response = wire { #expect(wire == curl) }
        if case .response = curl { #expect(wire == curl || wire == .refused) }
    }
}
