#if os(Linux)
internal import CMartletKeychain

/// Threads for calls that block.
enum SecretThread {
    /// Starts one that runs `body`, then ends: whether there was one to be had.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(body))
        let isStarted = csecret_start_thread(
            { context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            }, context.toOpaque())
        if !isStarted { context.release() }
        return isStarted
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

extension BlockingLane {
    /// The process's one, for the Secret Service.
    static let secrets = BlockingLane(startThread: SecretThread.start)
}
#endif
