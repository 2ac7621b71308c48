import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Tests the negotiation of compression (RFC 7692 §5 and §7.1).
@Suite(.timeLimit(.minutes(5)))
struct PermessageDeflateTests {
    private static func compression(_ change: (inout WebSocketCompression) -> Void) -> WebSocketCompression {
        var compression = WebSocketCompression()
        change(&compression)
        return compression
    }

    private static let small = compression { ($0.clientWindowBits, $0.serverWindowBits) = (10, 9) }
    private static let forgetful = compression { ($0.clientKeepsContext, $0.serverKeepsContext) = (false, false) }

    private func extensions(_ value: String) -> [WebSocketExtension]? {
        WebSocketExtension.all(in: [.secWebSocketExtensions: value])
    }

    @Test("An offer names every restriction, and that the client's window may be restricted (§7.1.2.2)")
    func offers() {
        #expect(WebSocketCompression().offer == "permessage-deflate; client_max_window_bits")
        #expect(PermessageDeflateTests.small.offer == "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10")
        #expect(
            PermessageDeflateTests.forgetful.offer
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits")
        let extreme = PermessageDeflateTests.compression { ($0.clientWindowBits, $0.serverWindowBits) = (99, -1) }
        #expect(extreme.offer == "permessage-deflate; server_max_window_bits=9; client_max_window_bits")
    }

    @Test("A response takes effect if it fits the offer, and otherwise fails the connection (§7.1)")
    func responses() {
        typealias Agreed = PermessageDeflate
        let (plain, small, forgetful) = (WebSocketCompression(), PermessageDeflateTests.small, PermessageDeflateTests.forgetful)
        let table: [(WebSocketCompression, String, Agreed?)] = [
            (plain, "", Agreed()),
            (plain, "; server_no_context_takeover", Agreed(server: .init(keepsContext: false))),
            (plain, "; client_no_context_takeover", Agreed(client: .init(keepsContext: false))),
            (plain, "; server_max_window_bits=10", Agreed(server: .init(windowBits: 10))),
            (plain, "; client_max_window_bits=\"9\"", Agreed(client: .init(windowBits: 9))),
            (plain, "; client_max_window_bits=8", Agreed(client: .init(windowBits: 8))),
            (plain, "; SERVER_MAX_WINDOW_BITS=15 ; client_max_window_bits=15", Agreed()),
            (plain, "; server_max_window_bits", nil),
            (plain, "; client_max_window_bits", nil),
            (plain, "; server_max_window_bits=7", nil),
            (plain, "; server_max_window_bits=16", nil),
            (plain, "; server_max_window_bits=010", nil),
            (plain, "; client_max_window_bits=x", nil),
            (plain, "; server_no_context_takeover=1", nil),
            (plain, "; unknown", nil),
            (plain, "; server_max_window_bits=10; server_max_window_bits=10", nil),
            (small, "; server_max_window_bits=9", Agreed(client: .init(windowBits: 10), server: .init(windowBits: 9))),
            (
                small, "; server_max_window_bits=8; client_max_window_bits=9",
                Agreed(client: .init(windowBits: 9), server: .init(windowBits: 8))
            ),
            (small, "", nil),
            (small, "; server_max_window_bits=10", nil),
            (small, "; server_max_window_bits=9; client_max_window_bits=11", nil),
            (forgetful, "; server_no_context_takeover", Agreed(client: .init(keepsContext: false), server: .init(keepsContext: false))),
            (forgetful, "; client_no_context_takeover", nil),
        ]
        for (offer, parameters, agreed) in table {
            let response = extensions("Permessage-Deflate" + parameters)?.first
            #expect(response.flatMap { offer.agreed($0) } == agreed, "\(offer.offer) and \(parameters)")
        }
        let other = PermessageDeflateTests.compression { $0.minBytes = 7 }
        #expect(extensions("permessage-deflate")?.first.flatMap { other.agreed($0) }?.minBytes == 7)
        #expect(extensions("x-webkit-deflate-frame")?.first.flatMap { plain.agreed($0) } == nil)
    }

    @Test("A server accepts the first offer that it can, with its own restrictions (§5.1, §7.1)")
    func servers() {
        let (plain, small, forgetful) = (WebSocketCompression(), PermessageDeflateTests.small, PermessageDeflateTests.forgetful)
        let table: [(WebSocketCompression, String, String?)] = [
            (plain, "permessage-deflate", "permessage-deflate"),
            (plain, "foo, permessage-deflate; client_max_window_bits", "permessage-deflate"),
            (plain, "permessage-deflate; server_no_context_takeover", "permessage-deflate; server_no_context_takeover"),
            (plain, "permessage-deflate; client_no_context_takeover", "permessage-deflate; client_no_context_takeover"),
            (plain, "permessage-deflate; server_max_window_bits=15", "permessage-deflate; server_max_window_bits=15"),
            (plain, "permessage-deflate; client_max_window_bits=12", "permessage-deflate; client_max_window_bits=12"),
            (
                plain, "permessage-deflate; unknown, permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; server_max_window_bits=10"
            ),
            (small, "permessage-deflate", "permessage-deflate; server_max_window_bits=9"),
            (
                small, "permessage-deflate; client_max_window_bits",
                "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10"
            ),
            (
                small, "permessage-deflate; client_max_window_bits=9; server_max_window_bits=8",
                "permessage-deflate; server_max_window_bits=8; client_max_window_bits=9"
            ),
            (forgetful, "permessage-deflate", "permessage-deflate; server_no_context_takeover; client_no_context_takeover"),
            (plain, "permessage-deflate; server_max_window_bits", nil),
            (plain, "foo", nil),
            (plain, "", nil),
        ]
        for (server, offers, expected) in table {
            #expect(server.response(to: extensions(offers) ?? [])?.text == expected, "\(offers)")
        }
    }

    @Test("What a server agrees on is what its client understands, for all combinations of restrictions")
    func bothSides() throws {
        let choices = [PermessageDeflateTests.small, PermessageDeflateTests.forgetful, WebSocketCompression()]
        for client in choices {
            for server in choices {
                let response = try #require(server.response(to: extensions(client.offer) ?? []))
                #expect(extensions(response.text)?.first.flatMap { client.agreed($0) } == response.agreed)
            }
        }
    }

    @Test("Extensions have parameters and quoted values, empty elements are ignored, and malformed fields rejected (RFC 6455 §9.1)")
    func syntax() throws {
        let read = try #require(extensions("a;x=1;Y=\"2\" ; z , , B"))
        #expect(read.map(\.name) == ["a", "b"])
        #expect(read[0].parameters.map { "\($0.name)=\($0.value ?? "nil")" } == ["x=1", "y=2", "z=nil"])
        for malformed in ["a b", "a;", "a;=1", "a; x=", "a; x=\"1", "a; x=1 y", "/", "a, ;"] {
            #expect(extensions(malformed) == nil, "\(malformed)")
        }
        #expect(extensions("")?.isEmpty == true)
        var lines = HTTPFields()
        lines.append(.secWebSocketExtensions, "a")
        lines.append(.secWebSocketExtensions, "b")
        #expect(WebSocketExtension.all(in: lines)?.count == 2)
    }
}
