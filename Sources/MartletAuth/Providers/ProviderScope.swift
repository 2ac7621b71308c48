internal import MartletSystem

/// Which providers the task at hand is asking for a token, so that a request they make is not made to wait for itself.
///
/// A scope ends with the question: what a provider leaves running in tasks of its own is an ordinary caller again.
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

    /// Whether the task at hand runs within a question to `owner`.
    static func contains(_ owner: AnyObject) -> Bool {
        open.contains { visit in visit.owner == ObjectIdentifier(owner) && visit.isOpen.withLock { $0 } }
    }

    /// The clock of the client whose call asks for a token, or nil outside a client.
    static var time: (any TimeSource)? { open.last { $0.time != nil }?.time }

    /// Runs what is part of no question.
    static func outside(_ body: () -> Void) { $open.withValue([], operation: body) }

    /// Runs a question to `owner`, which lives until it is answered.
    ///
    /// - Parameter time: the clock of the client that asks.
    static func within<Value>(
        _ owner: AnyObject, time: (any TimeSource)? = nil, _ question: () async throws -> Value
    ) async rethrows -> Value {
        let visit = Visit(ObjectIdentifier(owner), time)
        defer { visit.isOpen.withLock { $0 = false } }
        return try await $open.withValue(open + [visit]) { try await question() }
    }
}
