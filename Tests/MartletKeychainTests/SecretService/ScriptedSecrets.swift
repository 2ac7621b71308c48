import Dispatch
import Foundation
import MartletAuth
import MartletSystem

@testable import MartletKeychain

/// Stores secrets in memory, and fails, reports a locked keyring or hangs as a test requires.
final class ScriptedSecrets: SecretCalls {
    struct State {
        var kept: [SecretKey: Data] = [:]
        var keyring = KeyringState.open
        var failure: SecretFailure?
        var beginError: TokenStoreError?
        /// The number of the next calls that hang.
        var hangs = 0
        var calls: [String] = []
        var threads: Set<String> = []
        var cancellations = 0
    }

    let state = Locked(State())
    /// Whether a call that hangs returns when it is cancelled.
    let obeys: Bool
    /// An element for each call that began to hang.
    let hanging: AsyncStream<Void>
    private let hung: AsyncStream<Void>.Continuation
    private let release = DispatchSemaphore(value: 0)

    init(obeys: Bool = true) {
        self.obeys = obeys
        (hanging, hung) = AsyncStream.makeStream()
    }

    var calls: [String] { state.withLock { $0.calls } }

    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Waits until another call hangs.
    func hang() async { for await _ in hanging { return } }

    /// Lets one hanging call continue.
    func letGo() { release.signal() }

    func begin() throws(TokenStoreError) -> any SecretCall {
        if let error = state.withLock({ $0.beginError }) { throw error }
        return Call(secrets: self)
    }

    final class Call: SecretCall {
        let secrets: ScriptedSecrets

        init(secrets: ScriptedSecrets) { self.secrets = secrets }

        func within<Value>(_ work: () -> Value) -> Value { work() }
        func connect() throws(TokenStoreError) {}

        func lookup(_ key: SecretKey) throws(SecretFailure) -> Data? {
            try enter("lookup \(key.account)")
            return secrets.state.withLock { $0.keyring == .locked ? nil : $0.kept[key] }
        }

        func store(_ bytes: Data, for key: SecretKey) throws(SecretFailure) {
            try enter("store \(key.account)")
            secrets.state.withLock { $0.kept[key] = bytes }
        }

        func clear(_ key: SecretKey) throws(SecretFailure) -> Bool {
            try enter("clear \(key.account)")
            return secrets.state.withLock { $0.keyring == .locked ? false : $0.kept.removeValue(forKey: key) != nil }
        }

        func keyring() throws(SecretFailure) -> KeyringState {
            try enter("keyring")
            return secrets.state.withLock { $0.keyring }
        }

        func cancel() {
            secrets.state.withLock { $0.cancellations += 1 }
            if secrets.obeys { secrets.letGo() }
        }

        private func enter(_ name: String) throws(SecretFailure) {
            let (hangs, failure) = secrets.state.withLock { state in
                state.calls.append(name)
                state.threads.insert(threadName())
                if state.hangs > 0 {
                    state.hangs -= 1
                    return (true, state.failure)
                }
                return (false, state.failure)
            }
            if hangs {
                secrets.hung.yield()
                secrets.release.wait()
                if secrets.obeys { throw SecretFailure(domain: "g-io-error-quark", code: 19, message: "Operation was cancelled") }
            }
            if let failure { throw failure }
        }

        private func threadName() -> String {
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            return name?.trimmingCharacters(in: .newlines) ?? ""
        }
    }
}
