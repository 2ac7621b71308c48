internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

extension Transfer {
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

    /// The result of an exchange that libcurl ended with `code`.
    func result(_ handle: EasyHandle, _ code: Int) -> Result<Void, HTTPError> {
        if let failure { return .failure(failure) }
        guard code != CURLE_OK.code else { return .success(()) }
        if let why = addresses.refusal(after: code) {
            return .failure(.addressRefused(Explanation(why, context: ErrorContext(stage: .connect))))
        }
        let functions = handle.options.functions, words = handle.words
        let failure = CurlFailure(
            code: code, systemError: Int32(truncatingIfNeeded: ccurl_get_long(functions, handle.curl, Int32(CURLINFO_OS_ERRNO.code))),
            text: words.isEmpty ? functions.pointee.easy_strerror(Int32(code)).map { String(cString: $0) } ?? "" : words,
            headHasBegun: handle.head.hasBegun, headIsComplete: handle.head.isComplete, headLimit: limits.headBytes,
            isThroughProxy: handle.route.proxy != nil,
            challenge: handle.takeChallenge(), trust: handle.trust)
        let error = failure.error
        // An earlier attempt was sent, and only the connection for the next one could not be made.
        if error.stage == .connect, sending.wasAttempted, let objection = sending.objection { return .failure(objection) }
        return .failure(error)
    }

    /// Returns the result, or an error if the coded data is incomplete.
    func regardingCodings(_ result: Result<Void, HTTPError>) -> Result<Void, HTTPError> {
        if isCut { return .success(()) }
        guard case .success = result, let decoder else { return result }
        do throws(ContentDecoder.Fault) {
            try decoder.finish()
            return result
        } catch { return .failure(broken(error)) }
    }
}

extension Transfer {
    /// Whether a transfer that libcurl has given up starts again.
    func startsAgain(_ handle: EasyHandle, _ code: Int) -> Bool {
        guard failure == nil, !handle.head.hasBegun, sending.isGivenUp(code, handle.words, handle.round.retired),
            mayContinue(unless: sending.restart())
        else { return false }
        isReceivingPaused = false
        return true
    }
}
