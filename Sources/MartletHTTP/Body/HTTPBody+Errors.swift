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
            case .request:
                // Whoever makes the bytes that are sent has failed, and not the network.
                guard case .networkError(let failure) = error, failure.kind == .other, let cause = failure.context.underlying,
                    !(cause is HTTPError)
                else { return error }
                var context = failure.context
                context.stage = .exchange
                return .encodingFailed(Explanation("the body's stream: \(CodingPath.explain(cause))", context: context))
            }
        }
    }
}
