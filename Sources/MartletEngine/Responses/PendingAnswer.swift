package import MartletHTTP

/// The caller that waits for an exchange, and the result for it.
///
/// The result is set before the caller is resumed, and is then accessed only by the caller. As the result of the continuation it would take
/// more memory in each waiting call.
package struct PendingAnswer {
    package typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

    /// The caller, until it is resumed.
    package var waiter: UnsafeContinuation<Void, Never>?
    /// The result, until the caller takes it.
    package var answer: Answer?
    private let handOver = HandOver()

    package init() {}

    /// Removes and returns the caller, which takes the answer once it is resumed; nil if it was resumed before.
    package mutating func takeWaiter() -> UnsafeContinuation<Void, Never>? {
        handOver.mark()
        return waiter.take()
    }

    /// Returns the result to the caller, which has been resumed.
    package mutating func takeAnswer() throws(HTTPError) -> HTTPResponse<HTTPBody> {
        handOver.mark()
        guard let answer = answer.take() else { preconditionFailure("a caller was resumed without an answer") }
        switch consume answer {
        case .success(let response): return response
        case .failure(let error): throw error
        }
    }
}

extension BodyPipe {
    /// Returns the body whose bytes a producer of this process writes to the pipe. In a forked child, reading it throws.
    package func receivedBody(length: Int64?) -> HTTPBody {
        let owner = OwnerProcess()
        let reader = PipeReader(self) { () throws(HTTPError) in try owner.check("this body was received") }
        return HTTPBody(reader: reader, length: length)
    }
}
