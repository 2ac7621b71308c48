internal import MartletAuth
internal import MartletEssentials

/// The attributes by which a secret is found.
struct SecretKey: Sendable, Hashable {
    let service: String
    let account: String

    /// The text for the secret in a list that the user sees.
    var label: String { "\(service): \(account)" }

    /// Throws if a name contains a null byte, where a C string would end: the rest of the name would be ignored.
    func check() throws(TokenStoreError) {
        guard !service.utf8.contains(0), !account.utf8.contains(0) else {
            throw .unusable("the service or the account of the token store contains a null character: remove it")
        }
    }
}

/// The interface of a secret service that a token store needs. Every call may block.
protocol SecretCalls: Sendable {
    /// Begins a call.
    func begin() throws(TokenStoreError) -> any SecretCall
}

/// One call. Used by one thread, except `cancel`.
protocol SecretCall: Sendable {
    /// Runs the calls in `work` on this thread, and cleans up after them.
    func within<Value>(_ work: () -> Value) -> Value
    /// Connects to the session bus. Must be called first.
    func connect() throws(TokenStoreError)
    /// Returns the stored bytes, or nil if there are none or the keyring is locked.
    func lookup(_ key: SecretKey) throws(SecretFailure) -> Data?
    /// Stores bytes, which contain no null byte, and replaces the previous ones.
    func store(_ bytes: Data, for key: SecretKey) throws(SecretFailure)
    /// Removes the stored bytes. Returns whether any were removed.
    func clear(_ key: SecretKey) throws(SecretFailure) -> Bool
    /// Returns the state of the default keyring.
    func keyring() throws(SecretFailure) -> KeyringState
    /// Makes blocking functions fail, now or when they are called later. May be called from any thread, and does not block.
    func cancel()
}
