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

/// The state shared by the calling tasks and the loop that serves them.
final class RedisControl: Sendable {
    enum Event: Sendable {
        case submitted(RedisRequest)
        case expired(RedisRequest)
        case resolved(connection: Int, [SocketAddress])
        case connectExpired(connection: Int)
    }

    let events: Mailbox<Event>
    private let state = Locked(State())

    private struct State {
        var circuit = ServerCircuit()
        var waiting = 0
    }

    init() throws(CacheStoreError) {
        do throws(SystemFailure) { events = try Mailbox() } catch { throw CacheStoreError(.unavailable, "\(error)") }
    }

    /// Admits a call and returns whether it is the probe. Throws if the server failed recently or too many calls wait.
    func admit(at now: ContinuousClock.Instant, limit: Int) throws(CacheStoreError) -> Bool {
        try state.withLock { state throws(CacheStoreError) in
            guard state.waiting < limit else { throw CacheStoreError(.unavailable, "\(limit) calls are already waiting for the server") }
            let isProbe: Bool
            switch state.circuit.admit(at: now) {
            case .refused(let error): throw error
            case .admitted: isProbe = false
            case .probe: isProbe = true
            }
            state.waiting += 1
            return isProbe
        }
    }

    /// Records that a call has ended.
    func leave() { state.withLock { $0.waiting -= 1 } }

    func succeed() { state.withLock { $0.circuit.succeed() } }

    func fail(_ reason: CacheStoreError, until: ContinuousClock.Instant) { state.withLock { $0.circuit.fail(reason, until: until) } }

    func dropProbe(at now: ContinuousClock.Instant) { state.withLock { $0.circuit.dropProbe(at: now) } }
}

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

/// The address of a server.
enum RedisAddress: Sendable, Hashable {
    case host(String, port: Int)
    case socket(path: String)
}

/// The settings of the connections.
struct RedisSettings: Sendable {
    let place: RedisAddress
    let greeting: [RedisCommand]
    let connections: Int
    let connectTimeout: Duration
    let commandTimeout: Duration
    /// The time after a failure during which the server is not asked.
    let pause: Duration
    let limits: RESPParser.Limits
    let time: any TimeSource
    /// The maximum number of running and waiting calls.
    let waiting = 10_000

    /// Returns the commands with which a connection begins: the credentials and the choice of the database.
    static func greeting(user: String?, password: String?, database: Int) -> [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password { commands.append(RedisCommand(["AUTH"] + (user.map { [.text($0)] } ?? []) + [.text(password)])) }
        if database != 0 { commands.append(RedisCommand("SELECT", .number(Int64(database)))) }
        return commands
    }
}
