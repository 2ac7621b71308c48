import Foundation
import Martlet
import MartletTesting

/// The call that is measured: GET of eight users, decoded. The server is a `MockTransport`, so only the client's own cost is measured.
struct SampleCall {
    struct User: Decodable, Sendable {
        let id: Int
        let name: String
        let email: String
        let city: String
        let isActive: Bool
        let score: Double
    }

    struct Failure: Error {}

    /// The body of the response: 933 bytes.
    static let body = Data(
        ("["
            + (1...8).map {
                #"{"id":\#($0 + 1000),"name":"Ada Lovelace \#($0)","email":"ada.\#($0)@api.example","city":"London","isActive":true,"score":\#($0).25}"#
            }.joined(separator: ",") + "]").utf8)

    /// The fields of the response, as an API behind a proxy sends them.
    static let fields: HTTPFields = [
        "Date": "Mon, 23 Nov 2026 10:00:00 GMT", "Server": "nginx/1.26.2", "Content-Type": "application/json; charset=utf-8",
        "Content-Length": "\(body.count)", "Connection": "keep-alive", "Cache-Control": "private, max-age=0", "ETag": #"W/"3a5-7e1c""#,
        "Vary": "Accept-Encoding, Authorization", "X-Request-Id": "7f1c9a52-20f3-4b43-9d5a-6a2f0c1e7d11",
        "Strict-Transport-Security": "max-age=31536000",
    ]

    private static let reply = MockReply.data(body, headers: fields)

    let client: HTTPClient

    init(_ interceptors: [any Interceptor] = [], makeClient: (MockTransport, [any Interceptor]) -> HTTPClient) {
        client = makeClient(MockTransport { _ in SampleCall.reply }, interceptors)
    }

    func run(_ count: Int) async throws {
        for index in 0..<count {
            let request = Request<[User]>.get(
                "teams/\(index % 100)/users", query: ["page": "\(index % 10)", "sort": "name"], headers: ["X-Client": "benchmark"])
            guard try await client.send(request).count == 8 else { throw Failure() }
        }
    }
}
