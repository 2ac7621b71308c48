#if os(Linux)
internal import MartletCore

/// Threads for calls that block.
enum SecretThread {
    /// Starts one that runs `body`, then ends. Returns whether there was one to be had.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        do throws(SystemFailure) {
            try BackgroundThread.start(name: "martlet.secrets", body)
            return true
        } catch { return false }
    }
}

extension BlockingLane {
    /// The lane of the process for calls of the Secret Service.
    static let secrets = BlockingLane(startThread: SecretThread.start)
}
#endif
