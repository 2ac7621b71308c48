/// Which statuses are an answer; any other is `HTTPError.statusCode`, with the response and its body.
///
/// ```swift
/// request.validation = [200, 404]
/// ```
public struct StatusValidation: Sendable, Hashable, ExpressibleByArrayLiteral {
    private enum Rule: Sendable, Hashable {
        case any
        case range(Range<Int>)
        case list([HTTPStatus])
    }

    private let rule: Rule

    /// 200 to 299: the default.
    public static var successCodes: Self { .codes(200..<300) }

    /// Every status is an answer.
    public static var none: Self { Self(rule: .any) }

    /// The statuses of a range.
    public static func codes(_ range: Range<Int>) -> Self { Self(rule: .range(range)) }

    /// The statuses of a range.
    public static func codes(_ range: ClosedRange<Int>) -> Self { Self(rule: .range(Range(range))) }

    /// These statuses alone.
    public init(arrayLiteral elements: HTTPStatus...) { rule = .list(elements) }

    /// These, and one more.
    package func or(_ status: HTTPStatus) -> Self {
        if accepts(status) { return self }
        return Self(rule: .list((100...599).map(HTTPStatus.init(rawValue:)).filter(accepts) + [status]))
    }

    private init(rule: Rule) { self.rule = rule }

    /// Whether a status is an answer.
    public func accepts(_ status: HTTPStatus) -> Bool {
        switch rule {
        case .any: true
        case .range(let range): range.contains(status.rawValue)
        case .list(let list): list.contains(status)
        }
    }
}
