internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

extension CurlTransfer {
    // ThreadSanitizer does not see that a continuation orders the code before `resume` before the code after `await` if it is resumed
    // before its task has suspended. In debug builds, a lock that both sides take makes the order visible.
    #if DEBUG
    private func markHandOver() { order.withLock { $0 += 1 } }
    #else
    @inline(__always) private func markHandOver() {}
    #endif

    /// Resumes the caller, which takes `answer`, unless it has been resumed before.
    func resume() {
        guard let waiter = waiter.take() else { return }
        markHandOver()
        waiter.resume()
    }

    /// Returns the result to the caller, which has been resumed. Not inlined: its temporaries would be part of the caller's frame.
    @inline(never)
    func takeAnswer() throws(HTTPError) -> HTTPResponse<HTTPBody> {
        markHandOver()
        guard let answer = answer.take() else { preconditionFailure("a caller was resumed without an answer") }
        switch consume answer {
        case .success(let response): return response
        case .failure(let error): throw error
        }
    }

    /// The result of an exchange that libcurl ended with `code`, if the reception has none.
    func result(_ handle: EasyHandle, _ code: Int) -> Result<Void, HTTPError> {
        guard code != CURLE_OK.code, !reception.isOver else { return .success(()) }
        if let why = addresses.refusal(after: code) {
            return .failure(.addressRefused(Explanation(why, context: ErrorContext(stage: .connect))))
        }
        let functions = handle.options.functions, words = handle.words
        let failure = CurlFailure(
            code: code, systemError: Int32(truncatingIfNeeded: ccurl_get_long(functions, handle.curl, Int32(CURLINFO_OS_ERRNO.code))),
            text: words.isEmpty ? functions.pointee.easy_strerror(Int32(code)).map { String(cString: $0) } ?? "" : words,
            headHasBegun: reception.hasBegun, headIsComplete: reception.isHeadComplete, headLimit: reception.terms.limits.headBytes,
            isThroughProxy: outgoing.route.proxy != nil,
            challenge: handle.takeChallenge(), trust: handle.trust)
        let error = failure.error
        // An earlier attempt was sent, and only the connection for the next one could not be made.
        if error.stage == .connect, sending.wasAttempted, let objection = sending.objection { return .failure(objection) }
        return .failure(error)
    }

    /// Whether a transfer that libcurl has given up starts again.
    func startsAgain(_ handle: EasyHandle, _ code: Int) -> Bool {
        !reception.hasBegun && sending.isGivenUp(code, handle.words, handle.round.retired) && continues(unless: sending.restart())
    }
}
