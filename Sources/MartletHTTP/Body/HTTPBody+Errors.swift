extension HTTPBody {
    /// The message that a body belongs to. Boxed, because most bodies are in memory and need none.
    final class Message: Sendable {
        enum Role: Sendable {
            /// The body of a request.
            case request
            /// The body of the response to a request.
            case answer(to: HTTPRequest)
        }

        private let role: Role

        init(_ role: Role) { self.role = role }

        /// Returns the error of reading the body, completed with what the message knows.
        func explained(_ error: HTTPError) -> HTTPError {
            switch role {
            case .answer(let request): return error.completed(request: request, stage: .body)
            case .request: return error.ofSentStream
            }
        }
    }
}

extension HTTPError {
    /// The error of reading a stream that a request sends.
    ///
    /// The code that creates the bytes has failed, and not the network: an error of any type other than `HTTPError` becomes
    /// `.encodingFailed`.
    package var ofSentStream: HTTPError {
        guard case .networkError(let failure) = self, failure.kind == .other, let cause = failure.context.underlying, !(cause is HTTPError)
        else { return self }
        var context = failure.context
        context.stage = .exchange
        return .encodingFailed(Explanation("the body's stream: \(CodingPath.explain(cause))", context: context))
    }
}
