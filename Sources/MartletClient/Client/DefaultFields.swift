/// Header fields that are added to requests that lack them: all of them for the app's own origins, and `User-Agent` for all others.
///
/// The fields of a client's configuration and those of a `HeadersInterceptor` are added by it.
struct DefaultFields: Sendable {
    private let fields: HTTPFields
    private let agent: HTTPFields
    private let origins: [Origin]?

    /// No fields.
    static let none = DefaultFields([:])

    /// Creates fields for the given origins.
    ///
    /// - Parameter origins: The origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL, and
    ///   without a base URL every origin until another one has chosen the target.
    init(_ fields: HTTPFields, origins: [Origin]? = nil) {
        self.fields = fields
        self.origins = origins
        agent = fields[.userAgent].map { [.userAgent: $0] } ?? [:]
    }

    /// Whether `User-Agent` is one of the fields.
    var haveAgent: Bool { !agent.isEmpty }

    /// Whether a field may identify the user.
    func havePersonal(naming names: Set<HTTPFieldName>) -> Bool { fields.hasPersonal(naming: names) }

    /// Adds the missing fields to a request.
    func add(to request: inout HTTPRequest) {
        let isOwn = isOwn(request.origin, base: request.context.baseOrigin, request.context)
        request.headers.addMissing(isOwn ? fields : agent)
    }

    /// Adds the missing fields to those of a request that is being created.
    ///
    /// - Parameters:
    ///   - target: The URL of the request.
    ///   - checked: The origin of the URL if it was checked.
    func add(to headers: inout HTTPFields, target: RequestURL, checked: CheckedOrigin?, base: BaseURL?, _ context: RequestContext) {
        // Requests with a path have the very origin of the base URL, and are not compared.
        let isBelowBase = checked != nil && checked === base?.checkedOrigin
        let isOwn = isBelowBase || isOwn(checked?.origin ?? Origin(target.url), base: base?.origin, context)
        headers.addMissing(isOwn ? fields : agent)
    }

    private func isOwn(_ origin: @autoclosure () -> Origin?, base: Origin?, _ context: RequestContext) -> Bool {
        // A server at another origin may have chosen the target, also one at the app's own origin.
        let passed = context.passedOrigins
        if let origins { return passed.allSatisfy(origins.contains) && origin().map(origins.contains) ?? false }
        guard let base else { return passed.isEmpty }
        return passed.allSatisfy { $0 == base } && origin() == base
    }
}
