import MartletCore
import MartletTesting

/// Counts from many tasks at once.
final class Count: Sendable {
    private let recorder = Recorder<Int>()
    var value: Int { recorder.values.count }
    func increment() { recorder.append(1) }
    func reach(_ count: Int) async throws { _ = try await recorder.first(count) }
}

/// Holds everyone who arrives until it is opened.
final class Barrier: Sendable {
    private let opening = OneShotSignal()
    let arrivals = Count()

    func pass() async {
        arrivals.increment()
        await opening.wait()
    }

    func open() { opening.give() }
}

/// A signal that any number of tasks wait for.
final class OneShotSignal: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Locked(State.closed([]))

    func give() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state -> Bool in
                guard case .closed(let waiting) = state else { return true }
                state = .closed(waiting + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}

struct Down: Error, Equatable {}

/// A store that fails when it is told to.
final class FailingStore: TokenStore {
    private struct State {
        var token: AccessToken?
        var failsToLoad = false
        var failsToSave = false
        var failsToClear = false
    }

    private let state: Locked<State>
    /// How many tokens were saved.
    let saves = Count()

    init(_ token: AccessToken?) { state = Locked(State(token: token)) }

    var kept: AccessToken? { state.withLock { $0.token } }

    func fail(load: Bool = false, save: Bool = false, clear: Bool = false) {
        state.withLock { state in
            state.failsToLoad = load
            state.failsToSave = save
            state.failsToClear = clear
        }
    }

    func load() async throws -> AccessToken? {
        try state.withLock { state in
            if state.failsToLoad { throw Down() }
            return state.token
        }
    }

    func save(_ token: AccessToken) async throws {
        try state.withLock { state in
            if state.failsToSave { throw Down() }
            state.token = token
        }
        saves.increment()
    }

    func clear() async throws {
        try state.withLock { state in
            if state.failsToClear { throw Down() }
            state.token = nil
        }
    }
}
