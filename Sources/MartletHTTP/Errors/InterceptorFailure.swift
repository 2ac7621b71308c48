/// An interceptor that threw an error of its own; ``HTTPError/underlying`` has it.
public struct InterceptorFailure: Sendable {
    /// The interceptor's type.
    public let interceptor: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A failure of an interceptor.
    public init(interceptor: String, underlying: any Error) {
        self.interceptor = interceptor
        context = ErrorContext(stage: .interceptor, underlying: underlying)
    }
}

extension InterceptorFailure: ErrorPayload {
    package var text: String { "" }

    package func isSame(as other: InterceptorFailure) -> Bool { interceptor == other.interceptor }
}
