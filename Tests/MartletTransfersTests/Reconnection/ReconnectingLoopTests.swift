import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletTransfers

/// A source like a socket with close codes, which follows a script. Its messages arrive in batches.
private struct ScriptedSource: ReconnectingSource {
    typealias Response = Script

    enum Signal: ReconnectionSignal, Equatable {
        case connecting(number: Int)
        case open
        case text(String)
        case reconnecting(after: Duration, because: Reason)
    }

    enum Reason: Equatable { case closed, credential, restarted }

    enum Failure: Error, Equatable {
        case http(HTTPError)
        case refused(Int)
    }

    /// What a connection delivers: messages that arrive together, and then its close code, or silence until it is closed.
    struct Script: Sendable {
        var batches: [[String]] = []
        var code: Int?
    }

    final class Connection {
        var arrived: ArraySlice<String> = []
        var batches: ArraySlice<[String]>
        let code: Int?
        let closed = OneShot<Void>()

        init(_ script: Script) { (batches, code) = (script.batches[...], script.code) }
    }

    let scripts: Locked<ArraySlice<Result<Script, Failure>>>
    /// The numbers of the connections that were prepared, and how often a message was waited for.
    let prepared = Locked<[Int]>([])
    let reads = Locked(0)
    /// Set when a silent connection is read.
    let isWaiting = OneShot<Void>()
    var isReplayable = true

    mutating func prepare(_ number: Int, after error: HTTPError?) throws(Failure) {
        prepared.withLock { $0.append(number) }
        if number > 1, !isReplayable { throw .refused(0) }
    }

    func connect() async throws(Failure) -> Script {
        guard let next = scripts.withLock({ $0.popFirst() }) else { throw .refused(404) }
        return try next.get()
    }

    mutating func opened(_ outcome: Result<Script, Failure>) -> ConnectionStep<ScriptedSource> {
        switch outcome {
        case .success(let script):
            let connection = Connection(script), closed = connection.closed
            return .opened(connection, .open, interruption: { closed.set(()) })
        case .failure(.http(let error)): return .lost(ConnectionLoss(.failed(error), error: .http(error), because: .closed))
        case .failure(let error): return .lost(ConnectionLoss(.refused, error: error, because: .closed))
        }
    }

    mutating func arrived(on connection: Connection, noting history: inout ReconnectionHistory) -> Signal? {
        guard let text = connection.arrived.popFirst() else { return nil }
        history.broughtEvent()
        return .text(text)
    }

    mutating func read(
        _ connection: Connection, noting history: inout ReconnectionHistory
    ) async throws(Failure) -> ConnectionStep<ScriptedSource> {
        reads.withLock { $0 += 1 }
        if let batch = connection.batches.popFirst() {
            connection.arrived = batch[...]
            return .nothing
        }
        switch connection.code {
        case 1000: return .finished
        case 1001: return .lost(ConnectionLoss(.ended, error: nil, because: .closed))
        case 1006: return lost(.networkError(NetworkFailure(.connectionLost)))
        case 4401: return .again(.credential)
        case let code?: throw .refused(code)
        case nil:
            isWaiting.set(())
            await connection.closed.value()
            return lost(.cancelled)
        }
    }

    private func lost(_ error: HTTPError) -> ConnectionStep<ScriptedSource> {
        .lost(ConnectionLoss(.failed(error), error: .http(error), because: .closed))
    }

    static func failure(_ error: HTTPError) -> Failure { .http(error) }
}

@Suite("ReconnectingLoop", .timeLimit(.minutes(5)))
struct ReconnectingLoopTests {
    private typealias Loop = ReconnectingLoop<ScriptedSource>

    private let time = ManualTime()

    private func source(_ scripts: Result<ScriptedSource.Script, ScriptedSource.Failure>...) -> ScriptedSource {
        ScriptedSource(scripts: Locked(scripts[...]))
    }

    private func batch(_ texts: String..., code: Int?) -> Result<ScriptedSource.Script, ScriptedSource.Failure> {
        .success(.init(batches: texts.isEmpty ? [] : [texts], code: code))
    }

    private func loop(
        _ source: ScriptedSource, _ settings: EventReconnection = .init(), call: CallGroup? = nil, restarts: RestartRequests? = nil
    ) -> Loop {
        Loop(
            source, settings, call: LongLivedCall(call), time: time, random: ReconnectionDecisionTests.Chance(),
            restarts: restarts.map { ($0, .restarted) })
    }

    /// Returns the signals up to the end, and the error that ended them.
    private func all(_ loop: Loop) async -> (signals: [ScriptedSource.Signal], error: ScriptedSource.Failure?) {
        var loop = loop, signals: [ScriptedSource.Signal] = []
        do throws(ScriptedSource.Failure) {
            while let signal = try await loop.next() { signals.append(signal) }
            return (signals, nil)
        } catch { return (signals, error) }
    }

    @Test("A lost connection is replaced after a wait, and a complete stream ends the sequence")
    func reconnects() async {
        let source = source(batch("a", "b", code: 1001), .failure(.http(.timeout)), batch("c", code: 1000))
        let (signals, error) = await all(loop(source))
        #expect(error == nil)
        #expect(
            signals == [
                .connecting(number: 1), .open, .text("a"), .text("b"), .reconnecting(after: .seconds(3), because: .closed),
                .connecting(number: 2), .reconnecting(after: .seconds(3), because: .closed),
                .connecting(number: 3), .open, .text("c"),
            ])
        #expect(time.sleeps == [.seconds(3), .seconds(3)] && source.prepared.withLock { $0 } == [1, 2, 3])
    }

    @Test("A source may request another connection immediately, and may end the sequence with an error of its own")
    func decisionsOfTheSource() async {
        let (signals, error) = await all(loop(source(batch(code: 4401), batch("a", code: 4400))))
        #expect(error == .refused(4400) && signals.last == .text("a") && time.sleeps == [])
        #expect(signals[2] == .reconnecting(after: .zero, because: .credential))
        #expect(await all(loop(source(.failure(.refused(403))), .init(reconnects: true))).error == .refused(403))
    }

    @Test("If no connection follows, the loss is thrown, or ends the sequence if it has no error")
    func never() async {
        let broken = await all(loop(source(batch("a", code: 1006)), .never))
        #expect(broken.signals.last == .text("a") && broken.error == .http(.networkError(NetworkFailure(.connectionLost))))
        let ended = await all(loop(source(batch("a", code: 1001)), .never))
        #expect(ended.signals.last == .text("a") && ended.error == nil)
    }

    @Test("A source that cannot prepare another connection ends the sequence before the wait")
    func unprepared() async {
        var source = source(batch("a", code: 1001), batch("b", code: 1000))
        source.isReplayable = false
        let (signals, error) = await all(loop(source))
        #expect(signals.last == .text("a") && error == .refused(0) && time.sleeps == [])
    }

    @Test("Messages that have arrived are returned without waiting, in order, and not after a restart was requested")
    func arrived() async throws {
        let restarts = RestartRequests(), source = source(batch("a", "b", "c", code: 1000), batch(code: 1000))
        var loop = loop(source, restarts: restarts)
        #expect(loop.arrived() == nil)
        for signal in [ScriptedSource.Signal.connecting(number: 1), .open, .text("a")] { #expect(try await loop.next() == signal) }
        #expect(loop.arrived() == .text("b") && source.reads.withLock { $0 } == 1)
        restarts.request()
        #expect(loop.arrived() == nil)
        #expect(try await loop.next() == .reconnecting(after: .zero, because: .restarted))
        #expect(loop.arrived() == nil)
    }

    @Test("A restart closes the connection that is read, even if the rule is not to reconnect")
    func restart() async throws {
        let restarts = RestartRequests()
        let source = source(batch(code: nil), batch("a", code: 1000))
        let task = Task { [self] in await all(loop(source, .never, restarts: restarts)) }
        await source.isWaiting.value()
        restarts.request()
        let (signals, error) = await task.value
        #expect(error == nil && signals[2] == .reconnecting(after: .zero, because: .restarted) && signals.last == .text("a"))
    }

    @Test("A cancelled call closes the connection that is read, and no other one follows")
    func cancelled() async throws {
        let group = CallGroup(), source = source(batch(code: nil), batch("a", code: 1000))
        let task = Task { [self] in await all(loop(source, call: group)) }
        await source.isWaiting.value()
        group.cancelAll()
        let (signals, error) = await task.value
        #expect(signals == [.connecting(number: 1), .open] && error == .http(.cancelled) && group.runningCount == 0)
    }

    @Test("A wait that would reach the deadline of the task is not begun: the failure is thrown, or a timeout after an end")
    func deadline() async {
        let (ended, broken) = await withDeadline(.seconds(2), time: time) {
            (await all(loop(source(batch(code: 1001)))).error, await all(loop(source(batch(code: 1006)))).error)
        }
        #expect(ended == .http(.timeout) && broken == .http(.networkError(NetworkFailure(.connectionLost))) && time.sleeps == [])
    }

    @Test("After its end or an error, a loop returns nil and its call has ended")
    func afterwards() async throws {
        let group = CallGroup()
        var loop = loop(source(.failure(.refused(403))), call: group)
        #expect(try await loop.next() == .connecting(number: 1))
        #expect(group.runningCount == 1)
        await #expect(throws: ScriptedSource.Failure.refused(403)) { _ = try await loop.next() }
        #expect(try await loop.next() == nil)
        #expect(loop.arrived() == nil && group.runningCount == 0)
    }
}
