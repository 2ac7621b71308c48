// Stands in for Apple's Dispatch where MartletCore is type-checked for Apple's platforms without their SDK: the few declarations that
// it uses. Never linked, never run.

public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { DispatchTime() }
}

public enum DispatchTimeInterval: Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }

public struct DispatchQoS: Sendable {
    public static let userInitiated = DispatchQoS()
    public static let utility = DispatchQoS()
}

public class DispatchQueue: @unchecked Sendable {
    public init(label: String, qos: DispatchQoS = .utility) {}
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public protocol DispatchSourceProtocol: AnyObject {
    func setEventHandler(handler: (@convention(block) () -> Void)?)
    func activate()
    func cancel()
}

public protocol DispatchSourceTimer: DispatchSourceProtocol {}

extension DispatchSourceTimer {
    public func schedule(deadline: DispatchTime, leeway: DispatchTimeInterval = .nanoseconds(0)) {}
}

private final class Timer: DispatchSourceTimer {
    func setEventHandler(handler: (@convention(block) () -> Void)?) {}
    func activate() {}
    func cancel() {}
}

public enum DispatchSource {
    public static func makeTimerSource(queue: DispatchQueue? = nil) -> any DispatchSourceTimer { Timer() }
}
