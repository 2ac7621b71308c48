#if os(Linux)
internal import MartletAuth

/// Threads for calls that block.
enum SecretThread {
    /// Starts a thread that runs `body` and then ends. Returns false if the system refuses.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        do throws(SystemFailure) {
            try BackgroundThread.start(name: "martlet.secrets", body)
            return true
        } catch { return false }
    }
}

extension BlockingLane {
    /// The process's lane for calls of the Secret Service.
    static let secrets = BlockingLane(startThread: SecretThread.start)
}
#endif
