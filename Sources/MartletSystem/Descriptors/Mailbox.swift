/// An ordered queue of messages to a polling thread, and the request to stop it.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isStopping = false
        var isClosed = false
    }

    private let wakeup: Wakeup
    private let state = Locked(State())

    package init() throws(SystemFailure) { wakeup = try Wakeup() }

    /// The descriptor that becomes readable when there are messages, or the thread should stop.
    package var descriptor: Int32 { wakeup.readEnd }

    /// Whether the thread should stop.
    package var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether the thread accepts no more messages.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds a message, and wakes the thread for the first one. Returns false without adding it if the mailbox is closed.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.messages.count == 1)
        }
        if isFirst { wakeup.signal() }
        return isTaken
    }

    /// Asks the thread to stop.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    /// Returns the messages since the last call. Called by the thread.
    package func take() -> [Message] {
        // Cleared first, because a message that is posted meanwhile signals again.
        wakeup.clear()
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Rejects messages from now on, and returns the remaining ones. Called by the thread.
    package func close() -> [Message] {
        state.withLock { $0.isClosed = true }
        return take()
    }
}

/// A socket pair with which other threads interrupt a `poll`.
///
/// A forked child shares the descriptors with its parent and must not signal.
package final class Wakeup: Sendable {
    /// The descriptor that the thread polls for reading.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(SystemFailure) {
        guard let ends = NonBlockingDescriptor.pair() else { throw SystemFailure(what: "the sockets for wake-ups failed", code: errno) }
        (readEnd, writeEnd) = ends
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }

    /// Ends the current `poll`, or the next one.
    package func signal() {
        var byte: UInt8 = 1
        // The write fails only if the socket is full, and the other end is readable then.
        _ = write(writeEnd, &byte, 1)
    }

    /// Clears the signals so far. Signals that arrive meanwhile may remain, and end the next `poll`.
    package func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(readEnd, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
