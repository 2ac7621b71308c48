// Replaces Apple's Dispatch with the declarations that Martlet uses, with their types on Apple's platforms. They are never linked or run.

open class DispatchQueue: @unchecked Sendable {
    public struct GlobalQueuePriority {}

    public init(label: String) {}
    public static func global() -> DispatchQueue { DispatchQueue(label: "") }
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}

public class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    public func wait() {}
    @discardableResult public func signal() -> Int { 0 }
}
