internal import MartletEssentials

/// Where a resumable upload is, and which origins have chosen this URL. A pure value.
struct UploadTarget: Sendable, Hashable {
    let url: URL
    /// The origins that led to the URL, except its own.
    let passed: [Origin]
    /// Whether another origin than the creation's has chosen the URL, or is the URL's own. Its requests are sent with the fields that a
    /// redirect would take there.
    let isForeign: Bool

    /// The upload at a URL that the caller names. It counts as the choice of the creation's origin.
    ///
    /// - Parameter creation: The request that would create the upload, or nil if there is none.
    init(_ url: URL, namedFor creation: HTTPRequest?) {
        let origin = creation?.origin
        self.url = url
        isForeign = origin == nil || origin != Origin(url)
        passed = isForeign ? [origin].compactMap(\.self) : []
    }

    /// The upload at a URL that the response to the creation names. If another origin has redirected the creation, that origin has chosen
    /// the URL, even if it is one of the origin that the creation was for.
    init(_ url: URL, namedBy response: HTTPResponse<Void>, from source: URL) {
        self.url = url
        passed = (response.metadata.request?.context ?? RequestContext()).passedOrigins(naming: url, from: source)
        isForeign = !passed.isEmpty
    }

    /// Whether a later call that names the URL sends no more to it than this one: see ``init(_:namedFor:)``.
    ///
    /// It does not if another origin has chosen the URL, because the later call can't know that.
    func canBeNamedLater(for creation: HTTPRequest?) -> Bool {
        let later = UploadTarget(url, namedFor: creation)
        return passed.allSatisfy(later.passed.contains)
    }

    /// Changes a request for the upload to the fields and origins with which it may be sent.
    ///
    /// - Parameter names: The names of fields that the app declares as harmless.
    func restrict<E: Endpoint>(_ request: inout AdjustedEndpoint<E>, naming names: Set<HTTPFieldName>) {
        guard isForeign else { return }
        request.options.context.leaveOrigin(with: &request.headers, naming: names)
        request.options.context.passedOrigins = passed
    }
}
