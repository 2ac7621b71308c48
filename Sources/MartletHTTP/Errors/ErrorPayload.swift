package import MartletEssentials

/// What a case of `HTTPError` carries: a description of the failure, with its context.
package protocol ErrorPayload: Sendable {
    /// The request, stage and cause of the failure.
    var context: ErrorContext { get set }

    /// What failed, in words for developers; empty if the name of the case says it all.
    var text: String { get }

    /// Whether both describe the same failure. Contexts do not count.
    func isSame(as other: Self) -> Bool
}

extension ErrorPayload {
    /// Whether the other payload has the same type and describes the same failure.
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
    /// The context of a refused status. Setting it sets the response's request unless it has one.
    package var context: ErrorContext {
        get { ErrorContext(request: metadata.request, stage: .validation, attempts: metadata.request?.context.attempt ?? 0) }
        set { if metadata.request == nil { metadata.request = newValue.request } }
    }

    package var text: String { "" }

    package func isSame(as other: HTTPResponse<Data>) -> Bool { self == other }
}

extension String {
    /// The text in parentheses, after a space; empty if the text is empty.
    var inParentheses: String { isEmpty ? "" : " (\(self))" }
}
