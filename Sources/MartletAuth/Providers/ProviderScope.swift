internal import MartletSystem

/// Which providers the task at hand is asking for a token, so that a request they make is not made to wait for itself.
///
/// A scope ends with the question: what a provider leaves running in tasks of its own is an ordinary caller again.
enum ProviderScope {
    @TaskLocal private static var open: [Visit] = []

    private final class Visit: Sendable {
        let owner: ObjectIdentifier
        let isOpen = Locked(true)

        init(_ owner: ObjectIdentifier) { self.owner = owner }
    }

    /// Whether the task at hand runs within a question to `owner`.
    static func contains(_ owner: AnyObject) -> Bool {
        open.contains { visit in visit.owner == ObjectIdentifier(owner) && visit.isOpen.withLock { $0 } }
    }

    /// Runs what is part of no question.
    static func outside(_ body: () -> Void) { $open.withValue([], operation: body) }

    /// Runs a question to `owner`, which lives until it is answered.
    static func within<Value>(_ owner: AnyObject, _ question: () async throws -> Value) async rethrows -> Value {
        let visit = Visit(ObjectIdentifier(owner))
        defer { visit.isOpen.withLock { $0 = false } }
        return try await $open.withValue(open + [visit]) { try await question() }
    }
}
