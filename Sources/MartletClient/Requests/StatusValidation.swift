/// The statuses that a call accepts. Any other status throws `HTTPError.statusCode`, with the response and its body.
///
/// ```swift
/// var request = Request<Data>.get("users/1")
/// request.validation = [200, 404]
/// ```
public struct StatusValidation: Sendable, Hashable, ExpressibleByArrayLiteral {
    private enum Rule: Sendable, Hashable {
        case clientDefault
        case any
        case range(Range<Int>)
        case list([HTTPStatus])
    }

    private let rule: Rule

    /// The statuses of the request, the endpoint or its options. If none of them sets any, ``successCodes``.
    public static var clientDefault: Self { Self(rule: .clientDefault) }

    /// Accepts the statuses 200 to 299.
    public static var successCodes: Self { .codes(200..<300) }

    /// Accepts every status.
    public static var none: Self { Self(rule: .any) }

    /// Accepts the statuses in a half-open range.
    public static func codes(_ range: Range<Int>) -> Self { Self(rule: .range(range)) }

    /// Accepts the statuses in a closed range.
    public static func codes(_ range: ClosedRange<Int>) -> Self { Self(rule: .range(Range(range))) }

    /// Accepts the statuses in a collection, such as an array.
    public static func codes(_ codes: some Collection<Int>) -> Self { Self(rule: .list(codes.map(HTTPStatus.init(rawValue:)))) }

    /// Creates a validation that accepts only these statuses.
    public init(arrayLiteral elements: HTTPStatus...) { rule = .list(elements) }

    /// Returns a validation that also accepts one more status.
    package func or(_ status: HTTPStatus) -> Self {
        if accepts(status) { return self }
        return Self(rule: .list((100...599).map(HTTPStatus.init(rawValue:)).filter(accepts) + [status]))
    }

    private init(rule: Rule) { self.rule = rule }

    /// Returns whether a status is accepted.
    public func accepts(_ status: HTTPStatus) -> Bool {
        switch rule {
        case .clientDefault: (200..<300).contains(status.rawValue)
        case .any: true
        case .range(let range): range.contains(status.rawValue)
        case .list(let list): list.contains(status)
        }
    }
}
