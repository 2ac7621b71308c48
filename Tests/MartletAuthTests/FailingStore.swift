import MartletAuth
import MartletSystem
import TestSupport

struct Down: Error, Equatable {}

/// A store that fails when the test asks it to.
final class FailingStore: TokenStore {
    private struct State {
        var token: AccessToken?
        var failsToLoad = false
        var failsToSave = false
        var failsToClear = false
    }

    private let state: Locked<State>
    /// The number of saved tokens.
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
