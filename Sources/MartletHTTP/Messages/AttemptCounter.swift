internal import MartletSystem

/// Counts the exchanges of one call across redirects and retries, and holds state that all of them share.
package final class AttemptCounter: Sendable {
    private struct State {
        var count = 0
        var records: [AttemptRecord] = []
        var idempotencyKey: String?
        /// The decisions about the attempt that is running.
        var decisions: [String] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The number of exchanges so far.
    package var value: Int { state.withLock { $0.count } }

    /// Counts one more exchange and returns the new count.
    package func increment() -> Int {
        state.withLock {
            $0.count += 1
            return $0.count
        }
    }

    /// The records of the attempts so far, in order.
    package var records: [AttemptRecord] { state.withLock { $0.records } }

    /// Notes a decision about the running attempt, for its record.
    package func note(_ decision: String) { state.withLock { $0.decisions.append(decision) } }

    /// Appends the exchanges and the records of another call whose response this call shares.
    package func adopt(_ other: AttemptCounter) {
        guard other !== self else { return }
        let (count, records) = other.state.withLock { ($0.count, $0.records) }
        state.withLock { state in
            state.count += count
            let first = state.records.count
            for (index, record) in records.enumerated() {
                var record = record
                record.number = first + index + 1
                state.records.append(record)
            }
        }
    }

    /// Appends the record of one more attempt and gives it the next number.
    ///
    /// - Parameter takesDecisions: Whether the record gets the decisions that were noted since the last one. Default: true.
    package func add(_ record: AttemptRecord, takesDecisions: Bool = true) {
        state.withLock { state in
            var record = record
            record.number = state.records.count + 1
            if takesDecisions { swap(&record.decisions, &state.decisions) }
            state.records.append(record)
        }
    }

    /// Returns the idempotency key of the call. Stores `key` if the call has none yet.
    package func idempotencyKey(orKeep key: String) -> String {
        state.withLock { state in
            let kept = state.idempotencyKey ?? key
            state.idempotencyKey = kept
            return kept
        }
    }

    /// The idempotency key of the call, or nil if none was stored.
    package var idempotencyKey: String? { state.withLock { $0.idempotencyKey } }
}
