import Foundation

@testable import Martlet
@testable import MartletClient

/// Checks where requests go: redirects, paths and the address policy.
enum AddressChecks {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func redirect(_ bytes: [UInt8]) {
        guard let source = URL(string: "https://a.example:8443/dir/page?x=1#f") else { return }
        let request = HTTPRequest(
            method: .post, url: source, headers: [.authorization: "Bearer s3cret", .cookie: "a=b"], body: HTTPBody("x"))
        let status: HTTPStatus = [301, 302, 303, 307, 308][Int(bytes.first ?? 0) % 5]
        let response = HTTPResponse(status: status, headers: [.location: text(Array(bytes.dropFirst()))], body: ())
        guard case .follow(let next) = RedirectDecision.decide(request: request, response: response, count: 0, policy: .follow()) else {
            return
        }
        promise(next.url.scheme?.lowercased() == "https", "a redirect from https to \(next.url)")
        promise(next.url.host?.isEmpty == false, "a redirect to no host: \(next.url)")
        guard Origin(next.url) != Origin(source) else { return }
        promise(
            !next.headers.contains(.authorization) && !next.headers.contains(.cookie),
            "a credential was sent to another origin: \(next.url)")
    }

    static func path(_ bytes: [UInt8]) {
        let value = text(bytes), base = URL(string: "https://a.example/v1/")
        let request = Request<Data>.get("users/\(value)/posts", query: ["q": value])
        guard let url = try? request.httpRequest(baseURL: base).url else { return }
        let parts = url.absoluteString.split(separator: "?", omittingEmptySubsequences: false)
        promise(parts.count == 2 && !url.absoluteString.contains("#"), "a value created a query or a fragment: \(url)")
        let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        promise(segments.count == 7 && segments[4] == "users" && segments[6] == "posts", "a value changed the path's segments: \(url)")
        promise(segments[5] != "." && segments[5] != "..", "a value became a dot segment: \(url)")
        promise(segments[5].removingPercentEncoding == value, "a path value decodes as another value: \(url)")
        promise(parts[1].dropFirst(2).removingPercentEncoding == value, "a query value decodes as another value: \(url)")
    }

    static func address(_ bytes: [UInt8]) {
        let host = text(bytes), decision = AddressPolicy.publicOnly.decide(host: host)
        guard !host.utf8.contains(0) else { return }
        // `publicOnly` must refuse every private address that the system's own parser recognises, however it is spelled.
        var found = in_addr()
        guard inet_aton(host, &found) != 0, !host.contains(where: \.isWhitespace) else { return }
        let octets = withUnsafeBytes(of: found.s_addr) { Array($0) }
        let isPrivate = octets[0] == 127 || octets[0] == 10 || octets[0] == 0 || octets[..<2] == [169, 254] || octets[..<2] == [192, 168]
        if case .refuse = decision { return }
        promise(!isPrivate, "the policy allows a private address: \(host)")
    }
}
