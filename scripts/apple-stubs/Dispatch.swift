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
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
    @discardableResult public func signal() -> Int { 0 }
}

public enum DispatchTimeInterval: Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { DispatchTime() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

@frozen public enum DispatchTimeoutResult: Sendable {
    case success
    case timedOut
}
