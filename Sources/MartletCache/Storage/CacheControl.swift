/// The directives of `Cache-Control` (RFC 9111 §5.2), in requests and in responses.
///
/// `CacheControl("max-age=60, stale-while-revalidate=600").maxAge` is 60 seconds.
///
/// Names are compared without case, arguments may be tokens or quoted strings, and unknown directives are kept without effect. A malformed
/// value never makes a response fresher: the directive keeps its name, and a number that is invalid, or repeated with another value, counts
/// as expired. After an unterminated quote every directive is malformed.
struct CacheControl: Sendable, Hashable, CustomStringConvertible {
    /// One directive.
    struct Directive: Sendable, Hashable {
        /// The name in lower case.
        let name: String
        /// The value after `=`, without quotes. Nil if it is missing or malformed.
        let argument: String?
        /// Whether the value after the name is malformed.
        let isMalformed: Bool
    }

    /// The directives in the order of the field.
    let directives: [Directive]

    /// Parses the directives of all `Cache-Control` lines.
    init(_ headers: HTTPFields) { self.init(lines: headers.bytes(for: .cacheControl)) }

    /// Parses the directives of one field value.
    init(_ text: String) { self.init(lines: [Array(text.utf8)]) }

    private init(lines: [[UInt8]]) {
        var directives: [Directive] = []
        for line in lines {
            var reader = FieldReader(line, openQuote: .isCharacter)
            while let directive = reader.directive() { directives.append(directive) }
        }
        self.directives = directives
    }

    /// Whether the field has no directive.
    var isEmpty: Bool { directives.isEmpty }

    /// Whether a directive with this name is present.
    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The directives as a field value.
    package var description: String {
        directives.map { directive in
            // An empty value stays malformed: without the "=", `max-stale` would mean unlimited staleness.
            if directive.isMalformed { return directive.name + "=" }
            guard let argument = directive.argument else { return directive.name }
            return directive.name + "=" + argument.asParameterValue
        }.joined(separator: ", ")
    }

    /// A number of seconds in a directive.
    enum Seconds: Equatable {
        case absent
        /// Present but not a number, or repeated with another value.
        case invalid
        case value(Int)

        /// The number, or 0 for an invalid one. Nil if the directive is absent.
        var orZero: Int? {
            switch self {
            case .absent: nil
            case .invalid: 0
            case .value(let seconds): seconds
            }
        }
    }

    /// The maximum: larger numbers count as 2^31 seconds (RFC 9111 §1.2.2).
    static let maxSeconds = 2_147_483_648

    /// Returns the number of seconds of a directive. Repeated directives must agree.
    func seconds(_ name: String) -> Seconds {
        var found = Seconds.absent
        for directive in directives where directive.name == name {
            let seconds = directive.argument.flatMap(CacheControl.deltaSeconds).map(Seconds.value) ?? .invalid
            if found != .absent && found != seconds { return .invalid }
            found = seconds
        }
        return found
    }

    /// Parses delta-seconds (RFC 9111 §1.2.2): only digits. Numbers above the maximum are reduced to it.
    static func deltaSeconds(_ text: some StringProtocol) -> Int? {
        guard text.isDecimal else { return nil }
        return Swift.min(Int(text) ?? maxSeconds, maxSeconds)
    }

    /// Returns the field names in a directive's argument. Nil if the directive applies to the whole response or is absent.
    func fields(of name: String) -> [HTTPFieldName]? {
        var names: [HTTPFieldName] = []
        for directive in directives where directive.name == name {
            let listed = (directive.argument ?? "").split(separator: ",").map { HTTPFieldName(String($0.trimmingWhitespace)) }
            guard !listed.isEmpty, listed.allSatisfy(\.isValid) else { return nil }
            names += listed
        }
        return names.isEmpty ? nil : names
    }

    /// Whether a permissive directive is present. A malformed one permits nothing.
    func allows(_ name: String) -> Bool { directives.contains { $0.name == name && !$0.isMalformed } }

    /// Whether a directive is present that applies to the whole response.
    func isUnqualified(_ name: String) -> Bool { contains(name) && fields(of: name) == nil }

    /// `max-age` (RFC 9111 §5.2.1.1, §5.2.2.1). Zero if it is invalid, nil if it is absent.
    var maxAge: Duration? { duration("max-age") }

    /// `s-maxage`, the `max-age` for shared caches (RFC 9111 §5.2.2.10).
    var sharedMaxAge: Duration? { duration("s-maxage") }

    /// `min-fresh` of a request (RFC 9111 §5.2.1.3). If it is invalid, 2^31 seconds, so that no stored response satisfies it. Nil if it is
    /// absent.
    var minFresh: Duration? {
        seconds("min-fresh") == .invalid ? .seconds(CacheControl.maxSeconds) : duration("min-fresh")
    }

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

extension FieldReader {
    /// Reads the next directive, or returns nil at the end. After an unterminated quote every directive is malformed.
    fileprivate mutating func directive() -> CacheControl.Directive? {
        while !isAtEnd {
            skip { Token.isWhitespace($0) || $0 == FieldReader.comma }
            guard let name = token()?.lowercased() else {
                // Skips a list member without a name.
                skipElement { $0 == FieldReader.comma }
                continue
            }
            var argument: String?
            var isMalformed = false
            if skip(UInt8(ascii: "=")) {
                argument = token() ?? quotedBytes().flatMap { String(validUTF8: $0) }
                isMalformed = argument == nil
            }
            if skipElement(before: { $0 == FieldReader.comma }) || hasOpenQuote { (argument, isMalformed) = (nil, true) }
            return CacheControl.Directive(name: name, argument: argument, isMalformed: isMalformed)
        }
        return nil
    }
}
