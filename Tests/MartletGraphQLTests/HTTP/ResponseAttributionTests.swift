import Foundation
import MartletTesting
import Testing

@testable import MartletGraphQL

@Suite("Attribution of responses to users", .timeLimit(.minutes(5)))
struct ResponseAttributionTests {
    private struct Row {
        let section: String
        var made: HTTPFields = [:]
        var sent: HTTPFields? = [:]
        var url = "https://api.example/graphql"
        var hasHandle = false
        var isRedirected = false
        var isKnown = false
        var isKnownWithScope = true
    }

    private static func marked(_ fields: HTTPFields, _ name: HTTPFieldName) -> HTTPFields {
        var fields = fields
        fields.markAsCredential(name)
        return fields
    }

    private static let rows = [
        Row(section: "nothing added", isKnown: true), Row(section: "a harmless field added", sent: ["X-Request-ID": "1"], isKnown: true),
        Row(section: "an unknown field added", sent: ["X-Query-Key": "a"]),
        Row(section: "set by hand", made: [.authorization: "a"], sent: ["authorization": "a"], isKnown: true),
        Row(section: "added", sent: [.authorization: "a"]), Row(section: "added, by its name", sent: ["X-Session-Id": "a"]),
        Row(section: "added, marked", sent: marked(["X": "a"], "X")), Row(section: "replaced", made: [.cookie: "a"], sent: [.cookie: "b"]),
        Row(section: "removed", made: [.authorization: "a"]), Row(section: "attached by an AuthInterceptor", hasHandle: true),
        Row(section: "in the query", url: "https://api.example/graphql?query=x&api_key=a"),
        Row(section: "no secret in the query", url: "https://api.example/graphql?query=x&operationName=y", isKnown: true),
        Row(section: "in the URL", url: "https://u:p@api.example/graphql"), Row(section: "redirected", isRedirected: true),
        Row(section: "unknown", sent: nil), Row(section: "a Host added", sent: [.host: "tenant"], isKnownWithScope: false),
        Row(section: "a Host of its own", made: [.host: "tenant"], sent: [.host: "TENANT:443"], isKnown: true),
        Row(section: "the URL's Host added", sent: [.host: "api.example"], isKnown: true),
    ]

    @Test("A response is used for other calls only if its request carried no credentials beyond theirs", arguments: rows.indices)
    func known(_ index: Int) throws {
        let row = Self.rows[index]
        let made = HTTPRequest(method: .post, url: try #require(URL(string: "https://api.example/graphql")), headers: row.made)
        var metadata = ResponseMetadata()
        if let sent = row.sent { metadata.request = HTTPRequest(url: try #require(URL(string: row.url)), headers: sent) }
        if row.hasHandle { metadata.credential = SentCredential { () throws(HTTPError) in false } }
        if row.isRedirected { metadata.redirects = [made.url] }
        #expect(ResponseAttribution.isKnown(metadata, to: made, hasScope: false) == row.isKnown, "\(row.section)")
        #expect(ResponseAttribution.isKnown(metadata, to: made, hasScope: true) == row.isKnownWithScope, "\(row.section)")
    }
}
