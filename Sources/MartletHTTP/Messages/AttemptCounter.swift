internal import MartletSystem

/// Counts the exchanges of one call, over its redirects and retries, and keeps what is to be known or to stay the same in all of them.
package final class AttemptCounter: Sendable {
    private struct State {
        var count = 0
        var records: [AttemptRecord] = []
        var idempotencyKey: String?
    }

    private let state = Locked(State())

    package init() {}

    /// How many there have been.
    package var value: Int { state.withLock { $0.count } }

    /// Counts one more and gives the count.
    package func increment() -> Int {
        state.withLock {
            $0.count += 1
            return $0.count
        }
    }

    /// What is known of the attempts so far, in order.
    package var records: [AttemptRecord] { state.withLock { $0.records } }

    /// Adds what is known of one more attempt, under the next number.
    package func add(_ record: AttemptRecord) {
        state.withLock { state in
            var record = record
            record.number = state.records.count + 1
            state.records.append(record)
        }
    }

    /// The call's one key: the one that was kept first, or now this.
    package func idempotencyKey(orKeep key: String) -> String {
        state.withLock { state in
            let kept = state.idempotencyKey ?? key
            state.idempotencyKey = kept
            return kept
        }
    }

    /// The call's one key; nil when none was kept.
    package var idempotencyKey: String? { state.withLock { $0.idempotencyKey } }
}
