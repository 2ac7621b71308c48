import Foundation
import Testing

@testable import MartletCache

@Suite("Which stored responses a response invalidates", .timeLimit(.minutes(5)))
struct InvalidationTests {
    private struct Row {
        let section: String
        var method: HTTPMethod = .post
        var url = "http://a.example/dir/x"
        var status: HTTPStatus = 200
        var headers: HTTPFields = [:]
        let targets: [String]
    }

    private static let own = "http://a.example/dir/x"

    private static let rows = [
        Row(section: "RFC 9111 §4.4", targets: [own]), Row(section: "RFC 9111 §4.4: PUT", method: .put, status: 204, targets: [own]),
        Row(section: "RFC 9111 §4.4: DELETE", method: .delete, status: 302, targets: [own]),
        Row(section: "RFC 9111 §4.4: unknown methods", method: HTTPMethod("M-SEARCH"), targets: [own]),
        Row(section: "RFC 9110 §9.2.1: GET is safe", method: .get, headers: [.location: "/y"], targets: []),
        Row(section: "RFC 9110 §9.2.1: HEAD is safe", method: .head, targets: []),
        Row(section: "RFC 9110 §9.2.1: OPTIONS is safe", method: .options, targets: []),
        Row(section: "RFC 9111 §4.4: failed", status: 400, headers: [.location: "/y"], targets: []),
        Row(section: "RFC 9111 §4.4: failed", status: 500, targets: []), Row(section: "RFC 9111 §4.4: not final", status: 103, targets: []),
        Row(section: "RFC 9111 §4.4: the last that has not failed", status: 399, targets: [own]),
        Row(section: "RFC 9111 §4.4: Location", headers: [.location: "http://a.example/y"], targets: [own, "http://a.example/y"]),
        Row(
            section: "RFC 9111 §4.4: Content-Location", headers: [.contentLocation: "http://A.example:80/y#z"],
            targets: [own, "http://a.example/y"]),
        Row(
            section: "RFC 9111 §4.4: both, relative", headers: [.location: "y?q", .contentLocation: "/z"],
            targets: [own, "http://a.example/dir/y?q", "http://a.example/z"]),
        Row(section: "RFC 9111 §4.4: the target again", headers: [.location: "x", .contentLocation: "#a"], targets: [own]),
        Row(section: "RFC 9111 §4.4: another host", headers: [.location: "http://b.example/y"], targets: [own]),
        Row(section: "RFC 9111 §4.4: another host, relative", headers: [.contentLocation: "//b.example/y"], targets: [own]),
        Row(section: "RFC 9111 §4.4: another port", headers: [.location: "http://a.example:81/y"], targets: [own]),
        Row(section: "RFC 9111 §4.4: another scheme", headers: [.location: "https://a.example/y"], targets: [own]),
        Row(section: "RFC 9111 §4.4: no target", headers: [.location: "mailto:a@b", .contentLocation: "http://"], targets: [own]),
        Row(section: "RFC 9111 §4.4: a user in it", headers: [.location: "http://u:p@a.example/y"], targets: [own, "http://a.example/y"]),
        Row(section: "RFC 6454 §4: no origin is not the same", url: "x:y", headers: [.location: "mailto:a@b"], targets: ["x:y"]),
    ]

    @Test(
        "A successful unsafe request invalidates its target, and the URLs of the same origin that its response names (RFC 9111 §4.4)",
        arguments: rows.indices)
    func targets(_ index: Int) {
        let row = Self.rows[index]
        let request = CacheSample.request([:], row.method, row.url)
        #expect(Invalidation.targets(of: request, CacheSample.response(row.headers, row.status)) == row.targets, "\(row.section)")
    }
}
