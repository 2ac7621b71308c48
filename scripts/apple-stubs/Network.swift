// Replaces Apple's Network with the declarations that Martlet uses, with their types on Apple's platforms. They are never linked or run.

import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: Status
}

public final class NWPathMonitor {
    public init() {}
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
