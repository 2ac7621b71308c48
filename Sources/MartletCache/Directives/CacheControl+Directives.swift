extension CacheControl {
    /// `max-age` (RFC 9111 §5.2.1.1, §5.2.2.1). Zero if it is invalid, nil if it is absent.
    var maxAge: Duration? { duration("max-age") }

    /// `s-maxage`, the `max-age` for shared caches (RFC 9111 §5.2.2.10).
    var sharedMaxAge: Duration? { duration("s-maxage") }

    /// `min-fresh` of a request (RFC 9111 §5.2.1.3). If it is invalid, 2^31 seconds, so that no stored response satisfies it. Nil if it is
    /// absent.
    var minFresh: Duration? {
        seconds("min-fresh") == .invalid ? .seconds(CacheControl.maxSeconds) : duration("min-fresh")
    }

    /// `stale-while-revalidate` (RFC 5861 §3).
    var staleWhileRevalidate: Duration? { duration("stale-while-revalidate") }

    /// `stale-if-error` (RFC 5861 §4).
    var staleIfError: Duration? { duration("stale-if-error") }

    /// The permitted staleness by a request's `max-stale` (RFC 9111 §5.2.1.2): unlimited without a number, nil if it is absent.
    var maxStale: Duration? {
        guard contains("max-stale") else { return nil }
        let isAny = directives.allSatisfy { $0.name != "max-stale" || $0.argument == nil && !$0.isMalformed }
        return isAny ? .seconds(CacheControl.maxSeconds) : duration("max-stale")
    }

    /// Whether `no-store` is present (RFC 9111 §5.2.1.5, §5.2.2.5).
    var forbidsStoring: Bool { contains("no-store") }

    /// Whether `no-cache` applies to the whole response, or is present in a request (RFC 9111 §5.2.1.4, §5.2.2.4).
    var requiresValidation: Bool { isUnqualified("no-cache") }

    /// The fields that `no-cache` names (RFC 9111 §5.2.2.4).
    var uncachedFields: [HTTPFieldName] { fields(of: "no-cache") ?? [] }

    /// Whether `must-revalidate` is present (RFC 9111 §5.2.2.2).
    var requiresRevalidation: Bool { contains("must-revalidate") }

    /// Whether `proxy-revalidate`, the `must-revalidate` for shared caches, is present (RFC 9111 §5.2.2.8).
    var requiresSharedRevalidation: Bool { contains("proxy-revalidate") }

    /// Whether `private` applies to the whole response (RFC 9111 §5.2.2.7).
    var isPrivate: Bool { isUnqualified("private") }

    /// The fields that `private` names (RFC 9111 §5.2.2.7).
    var privateFields: [HTTPFieldName] { fields(of: "private") ?? [] }

    /// Whether `public` is present (RFC 9111 §5.2.2.9).
    var isPublic: Bool { allows("public") }

    /// Whether the server declares that the response is for anyone: by `public` or `s-maxage`, and without `private` (RFC 9111 §5.2.2.9,
    /// §5.2.2.10).
    var isForAnyone: Bool { (isPublic || allows("s-maxage")) && !contains("private") }

    /// Whether `must-understand` is present (RFC 9111 §5.2.2.3).
    var requiresUnderstanding: Bool { contains("must-understand") }

    /// Whether `immutable` is present (RFC 8246).
    var isImmutable: Bool { allows("immutable") }

    /// Whether a request has `only-if-cached` (RFC 9111 §5.2.1.7).
    var wantsOnlyStored: Bool { contains("only-if-cached") }

    private func duration(_ name: String) -> Duration? { seconds(name).orZero.map { .seconds($0) } }
}
