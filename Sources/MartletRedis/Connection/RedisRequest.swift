internal import MartletCache
internal import MartletSystem

/// A command that is sent for one caller.
final class RedisRequest: Sendable {
    typealias Outcome = Result<RESPValue, CacheStoreError>

    let bytes: [UInt8]
    /// Whether the circuit waits for what becomes of it.
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

    /// Whether nobody waits for it any more.
    var isSettled: Bool { outcome.early != nil }

    /// What has become of it, for the one that waits.
    var value: Outcome { get async { await outcome.value() } }

    /// Resumes the caller with a result, unless it has one. The command may still be running.
    func settle(_ result: Outcome) { outcome.set(result) }
}
