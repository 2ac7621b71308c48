internal import CMartletCurl
internal import MartletEngine
internal import MartletHTTP
internal import MartletSystem

/// The engine of a transport. The first request creates it on a separate thread, because loading libcurl takes 10 ms or more.
final class LazyEngine: Sendable {
    typealias Made = Result<CurlEngine, HTTPError>

    struct State {
        var engine: CurlEngine?
        /// The requests that wait for the engine; nil unless it is being created.
        var waiting: [OneShot<Made>]?
    }

    private let make: @Sendable () throws(HTTPError) -> CurlEngine
    /// Accessed only by the process that used the object first.
    let state = Locked(State())
    private let user = FirstUser()

    /// - Parameter make: Creates the engine, once for all concurrent requests. If it fails, a later request calls it again.
    init(_ make: @escaping @Sendable () throws(HTTPError) -> CurlEngine) { self.make = make }

    /// The engine, or nil before it is made. In a child that was forked after the first request it throws `.engineUnavailable` without
    /// touching the parent's lock.
    var made: CurlEngine? {
        get throws(HTTPError) {
            try user.check("this transport was used")
            return state.withLock { $0.engine }
        }
    }

    /// Returns the engine and creates it when needed.
    ///
    /// Throws the reason if it cannot be created, `.cancelled`, `.timeout` at the deadline of a buffered exchange, or what ``made`` throws.
    func engine(for request: HTTPRequest) async throws(HTTPError) -> CurlEngine {
        if let made = try made { return made }
        let slot = OneShot<Made>()
        wait(slot)
        let cancel = { @Sendable () -> Void in slot.set(.failure(.cancelled(ErrorContext(stage: .exchange)))) }
        let deadline = request.context.streamsBody ? nil : request.context.deadline
        let timer = deadline.map { instant in
            SystemTime.system.timer(at: instant) { slot.set(.failure(.timeout(ErrorContext(stage: .connect)))) }
        }
        defer { timer?.cancel() }
        request.context.call?.onCancel(cancel)
        return try await withTaskCancellationHandler {
            await slot.value()
        } onCancel: {
            cancel()
        }.get()
    }

    /// Registers `slot` for the engine, and starts the creation unless it is running.
    private func wait(_ slot: OneShot<Made>) {
        let (engine, isFirst) = state.withLock { state -> (CurlEngine?, Bool) in
            if let engine = state.engine { return (engine, false) }
            let isFirst = state.waiting == nil
            state.waiting = (state.waiting ?? []) + [slot]
            return (nil, isFirst)
        }
        if let engine { slot.set(.success(engine)) }
        guard isFirst else { return }
        do {
            try BackgroundThread.start(name: "martlet.load") { [self] in
                do throws(HTTPError) { finish(.success(try make())) } catch { finish(.failure(error)) }
            }
        } catch { finish(.failure(.engineUnavailable(Explanation("\(error)")))) }
    }

    private func finish(_ outcome: Made) {
        let waiting = state.withLock { state in
            if case .success(let engine) = outcome { state.engine = engine }
            return state.waiting.take() ?? []
        }
        for slot in waiting { slot.set(outcome) }
    }
}
