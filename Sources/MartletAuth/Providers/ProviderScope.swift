internal import MartletSystem

/// The providers that the current task is calling for a token, so that a request of a provider does not wait for itself.
///
/// A scope ends with the call. Tasks that a provider leaves running afterwards are ordinary callers.
enum ProviderScope {
    @TaskLocal private static var open: [Visit] = []

    private final class Visit: Sendable {
        let owner: ObjectIdentifier
        let time: (any TimeSource)?
        let isOpen = Locked(true)

        init(_ owner: ObjectIdentifier, _ time: (any TimeSource)?) {
            self.owner = owner
            self.time = time
        }
    }

    /// Returns whether the current task runs within a call of `owner`.
    static func contains(_ owner: AnyObject) -> Bool {
        open.contains { visit in visit.owner == ObjectIdentifier(owner) && visit.isOpen.withLock { $0 } }
    }

    /// The clock of the client whose call requests a token, or nil outside a client.
    static var time: (any TimeSource)? { open.last { $0.time != nil }?.time }

    /// Runs a closure outside all scopes.
    static func outside(_ body: () -> Void) { $open.withValue([], operation: body) }

    /// Runs a call of `owner`, which must live until it returns.
    ///
    /// - Parameter time: The clock of the client that requests the token.
    static func within<Value>(
        _ owner: AnyObject, time: (any TimeSource)? = nil, _ question: () async throws -> Value
    ) async rethrows -> Value {
        let visit = Visit(ObjectIdentifier(owner), time)
        defer { visit.isOpen.withLock { $0 = false } }
        return try await $open.withValue(open + [visit]) { try await question() }
    }
}
