internal import MartletAuth
internal import MartletEssentials

/// Whose secret: what it is found by.
struct SecretKey: Sendable, Hashable {
    let service: String
    let account: String

    /// What a person reads in a list of secrets.
    var label: String { "\(service): \(account)" }

    /// Refuses names that would be cut where C's strings end, and so be those of another secret.
    func check() throws(TokenStoreError) {
        guard !service.utf8.contains(0), !account.utf8.contains(0) else {
            throw .unusable("the service or the account of a token store holds a NUL character")
        }
    }
}

/// What keeps secrets, as far as a token store needs it. Every call may block.
protocol SecretCalls: Sendable {
    /// Begins a call.
    func begin() throws(TokenStoreError) -> any SecretCall
}

/// One call, used by one thread, but for `cancel`.
protocol SecretCall: Sendable {
    /// Runs the calls that follow, on one thread, and tidies up after them.
    func within<Value>(_ work: () -> Value) -> Value
    /// Sees to it that there is a session bus: before anything else.
    func connect() throws(TokenStoreError)
    /// The bytes that are kept, or nil: there are none, or the keyring is locked.
    func lookup(_ key: SecretKey) throws(SecretFailure) -> Data?
    /// Keeps bytes, which hold no NUL, in place of those there were.
    func store(_ bytes: Data, for key: SecretKey) throws(SecretFailure)
    /// Forgets what is kept: whether there was something that could be forgotten.
    func clear(_ key: SecretKey) throws(SecretFailure) -> Bool
    /// The state of the default keyring.
    func keyring() throws(SecretFailure) -> KeyringState
    /// Makes what blocks return with a failure, now or when it is called later. From any thread, without blocking.
    func cancel()
}
