package import MartletEssentials

/// The payload of an `HTTPError` case: a description of the failure with its context.
protocol ErrorPayload: Sendable {
    /// The request, the stage and the underlying error.
    var context: ErrorContext { get set }

    /// A description of the failure for developers. Empty if the case says everything.
    var text: String { get }

    /// Returns whether both describe the same failure. Contexts do not count.
    func isSame(as other: Self) -> Bool
}

extension ErrorPayload {
    /// Returns whether the other payload has the same type and describes the same failure.
    func isSame(asAny other: any ErrorPayload) -> Bool { (other as? Self).map(isSame) ?? false }
}

extension ErrorContext: ErrorPayload {
    package var context: ErrorContext {
        get { self }
        set { self = newValue }
    }

    package var text: String { "" }

    package func isSame(as other: ErrorContext) -> Bool { true }
}

extension HTTPResponse<Data>: ErrorPayload {
    /// The context of a rejected status. Setting it sets the response's request unless it has one.
    package var context: ErrorContext {
        get { ErrorContext(request: metadata.request, stage: .validation) }
        set { if metadata.request == nil { metadata.request = newValue.request } }
    }

    package var text: String { "" }

    package func isSame(as other: HTTPResponse<Data>) -> Bool { self == other }
}

extension String {
    /// The text in parentheses after a space, or an empty string if the text is empty.
    var inParentheses: String { isEmpty ? "" : " (\(self))" }
}
