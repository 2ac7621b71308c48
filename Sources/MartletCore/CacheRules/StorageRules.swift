#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which responses are stored, and which of their fields (RFC 9111 §3).
enum StorageRules {
    /// Whether the response to a GET may be stored (RFC 9111 §3). A part of one (206) may where it says which part it is.
    static func mayStore(_ response: HTTPResponse<Void>, to request: HTTPRequest, _ terms: CacheTerms) -> Bool {
        let status = response.status
        guard (200...999).contains(status.rawValue), status != .notModified, VaryRules.names(response.headers) != nil else { return false }
        if status == .partialContent, PartialContent.part(of: response) == nil { return false }
        let control = CacheControl(response.headers)
        if CacheControl(request.headers).forbidsStoring { return false }
        if control.requiresUnderstanding {
            guard status.isUnderstood else { return false }
        } else if control.forbidsStoring {
            return false
        }
        if terms.mode == .shared, !mayStoreShared(control, request) { return false }
        return hasExplicitLife(response.headers, control, terms) || status.isHeuristicallyCacheable
    }

    /// Whether the response to a POST may be stored for later GETs: it says for how long it is fresh, and that it is what the target's GET
    /// would answer (RFC 9110 §9.3.3).
    static func mayStorePost(_ response: HTTPResponse<Void>, to request: HTTPRequest, _ terms: CacheTerms) -> Bool {
        let control = CacheControl(response.headers)
        guard request.method == .post, response.status == .ok, mayStore(response, to: request, terms),
            control.seconds("max-age") != .absent || response.headers.contains(.expires),
            let reference = response.headers[.contentLocation], let location = URLReference.resolve(reference, against: request.url)
        else { return false }
        return CacheKey.uri(of: location) == CacheKey.uri(of: request.url)
    }

    private static func mayStoreShared(_ control: CacheControl, _ request: HTTPRequest) -> Bool {
        if control.isPrivate { return false }
        guard request.headers.contains(.authorization) else { return true }
        return control.isPublic || control.requiresRevalidation || control.sharedMaxAge != nil
    }

    /// Whether the server says that it may be stored, or for how long it is fresh.
    private static func hasExplicitLife(_ headers: HTTPFields, _ control: CacheControl, _ terms: CacheTerms) -> Bool {
        control.isPublic || terms.mode == .private && control.contains("private") || control.contains("max-age")
            || headers.contains(.expires) || terms.mode == .shared && control.sharedMaxAge != nil
    }

    /// The fields that are stored (RFC 9111 §3.1): not those of the connection or the proxy, nor what `no-cache`, and in a shared cache
    /// `private`, name. A `Date` is there in any case (RFC 9110 §6.6.1).
    static func storedFields(_ headers: HTTPFields, received: Date, _ terms: CacheTerms) -> HTTPFields {
        var fields = withoutConnection(headers)
        let control = CacheControl(headers)
        let named = control.isUnqualified("no-cache") ? [] : control.uncachedFields
        let own = terms.mode == .shared && !control.isPrivate ? control.privateFields : []
        for name in named + own { fields.remove(name) }
        if headers[.date].flatMap({ HTTPDate($0, now: received) }) == nil { fields[.date] = HTTPDate(received).description }
        return fields
    }

    /// The fields but for those that are about one connection, or one proxy.
    static func withoutConnection(_ headers: HTTPFields) -> HTTPFields {
        var fields = headers
        for value in headers.values(for: .connection) {
            for name in value.split(separator: ",") { fields.remove(HTTPFieldName(String(name.trimmingWhitespace))) }
        }
        for name in connectionFields { fields.remove(name) }
        return fields
    }

    private static let connectionFields: [HTTPFieldName] = [
        .connection, "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization, "Proxy-Connection", .te,
        .transferEncoding, "Upgrade",
    ]
}
