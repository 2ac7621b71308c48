internal import MartletCache
internal import MartletSystem

/// A command that is sent for one caller.
final class RedisRequest: Sendable {
    typealias Outcome = Result<RESPValue, CacheStoreError>

    let bytes: [UInt8]
    /// Whether the circuit waits for what becomes of it.
    let isProbe: Bool

    private let outcome = OneShot<Outcome>()
    private let state = Locked(State())

    private struct State {
        var isRetired = false
        var timer: (any ScheduledTimer)?
    }

    init(_ command: RedisCommand, isProbe: Bool) {
        var bytes: [UInt8] = []
        command.append(to: &bytes)
        self.bytes = bytes
        self.isProbe = isProbe
    }

    /// Whether nobody waits for it any more.
    var isSettled: Bool { outcome.early != nil }

    /// What has become of it, for the one that waits.
    var value: Outcome { get async { await outcome.value() } }

    /// Resumes the caller with a result, unless it has one. The command may still be running.
    func settle(_ result: Outcome) { outcome.set(result) }

    /// Keeps the timer that limits it, until it is retired.
    func keep(_ timer: any ScheduledTimer) {
        let isLate = state.withLock { state in
            if !state.isRetired { state.timer = timer }
            return state.isRetired
        }
        if isLate { timer.cancel() }
    }

    /// Nothing more will come of it: the server has answered, or never will.
    func retire() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            state.isRetired = true
            return state.timer
        }
        timer?.cancel()
    }
}
