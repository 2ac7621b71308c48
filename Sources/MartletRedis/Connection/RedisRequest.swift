internal import MartletCache
internal import MartletSystem

/// A command of one caller.
final class RedisRequest: Sendable {
    typealias Outcome = Result<RESPValue, CacheStoreError>

    let bytes: [UInt8]
    /// Whether the request is the circuit's probe.
    let isProbe: Bool

    private let outcome = OneShot<Outcome>()
    /// Cancels the timer of the command timeout when the request has ended.
    let timer = CancelSlot()

    init(_ command: RedisCommand, isProbe: Bool) {
        var bytes: [UInt8] = []
        command.append(to: &bytes)
        self.bytes = bytes
        self.isProbe = isProbe
    }

    /// Whether the request has a result, so that its caller no longer waits.
    var isSettled: Bool { outcome.early != nil }

    /// The result.
    var value: Outcome { get async { await outcome.value() } }

    /// Resumes the caller with a result, unless it has one. The command may still be running.
    func settle(_ result: Outcome) { outcome.set(result) }
}
