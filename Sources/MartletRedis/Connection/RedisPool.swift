internal import MartletCache
internal import MartletSystem

/// The connections of a store and the thread that serves them. Both are created when they are first needed, and end with the pool.
final class RedisPool: Sendable {
    private let settings: RedisSettings
    private let running = Locked<RedisControl?>(nil)
    private let process = getpid()

    init(_ settings: RedisSettings) { self.settings = settings }

    deinit { running.withLock { $0 }?.events.stop() }

    /// Sends a command and returns the reply. Throws if the reply is an error.
    ///
    /// The command is built only if it is sent, so that calls are cheap while the server is down. A cancelled caller throws immediately,
    /// and a later reply to a sent command is ignored.
    func send(_ command: @autoclosure () -> RedisCommand) async throws(CacheStoreError) -> RESPValue {
        guard !Task.isCancelled else { throw RedisPool.cancelled }
        let request = try submit(command)
        let outcome = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            request.settle(.failure(RedisPool.cancelled))
        }
        let reply = try outcome.get()
        if case .error(let words) = reply { throw RedisFailure.error(words) }
        return reply
    }

    /// Sends a command if the server is available, without waiting for the reply.
    func sendAway(_ command: RedisCommand) { _ = try? submit { command } }

    private static var cancelled: CacheStoreError { CacheStoreError(.cancelled, "the caller's task was cancelled") }

    private func submit(_ command: () -> RedisCommand) throws(CacheStoreError) -> RedisRequest {
        // A child has neither the thread nor its own connections.
        guard getpid() == process else {
            throw CacheStoreError(.unavailable, "this store was made before the process was forked: make a new store in the child")
        }
        let control = try control(), now = settings.time.instant
        let isProbe = try control.admit(at: now, limit: settings.waiting), request = RedisRequest(command(), isProbe: isProbe)
        let timer = settings.time.timer(at: now + settings.commandTimeout) { control.events.post(.expired(request)) }
        request.timer.set { timer.cancel() }
        control.events.post(.submitted(request))
        return request
    }

    private func control() throws(CacheStoreError) -> RedisControl {
        if let control = running.withLock({ $0 }) { return control }
        let made = try RedisControl()
        // Another call may have created one in the meantime.
        let first = running.withLock { running -> RedisControl in
            running = running ?? made
            return running ?? made
        }
        guard first === made else { return first }
        do throws(SystemFailure) {
            try BackgroundThread.start(name: "martlet.redis") { [settings] in RedisLoop(settings: settings, control: made).run() }
        } catch {
            running.withLock { if $0 === made { $0 = nil } }
            throw CacheStoreError(.unavailable, "\(error)")
        }
        return made
    }
}
