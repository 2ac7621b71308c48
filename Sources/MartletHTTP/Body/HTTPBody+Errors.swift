extension HTTPBody {
    /// The message a body belongs to. In a box, since most bodies are in memory and have none.
    final class Message: Sendable {
        enum Role: Sendable {
            /// It is the content of a request.
            case request
            /// It answers a request.
            case answer(to: HTTPRequest)
        }

        private let role: Role

        init(_ role: Role) { self.role = role }

        /// An error of reading the body, with what is known of the message.
        func explained(_ error: HTTPError) -> HTTPError {
            switch role {
            case .answer(let request): return error.completed(request: request, stage: .body)
            case .request: return error.ofSentStream
            }
        }
    }
}

extension HTTPError {
    /// The error of reading a stream that a request sends. The code that makes the bytes has failed, and not the network: an error of any
    /// other type than `HTTPError` becomes `.encodingFailed`.
    package var ofSentStream: HTTPError {
        guard case .networkError(let failure) = self, failure.kind == .other, let cause = failure.context.underlying, !(cause is HTTPError)
        else { return self }
        var context = failure.context
        context.stage = .exchange
        return .encodingFailed(Explanation("the body's stream: \(CodingPath.explain(cause))", context: context))
    }
}
