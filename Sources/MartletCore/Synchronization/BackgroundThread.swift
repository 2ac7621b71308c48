#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A thread of its own, because a `poll` that waits, or a name that is looked up, must not hold one of the few that run Swift's tasks.
package enum BackgroundThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which nobody joins.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        let retained = Unmanaged.passRetained(Body(body))
        let code = create(retained.toOpaque())
        guard code != 0 else { return }
        retained.release()
        throw SystemFailure(what: "no thread", code: code)
    }

    private static func create(_ argument: UnsafeMutableRawPointer) -> Int32 {
        #if canImport(Darwin)
        var created: pthread_t?
        let code = pthread_create(&created, nil, entry, argument)
        guard code == 0, let thread = created else { return code }
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, entry, argument)
        guard code == 0 else { return code }
        #endif
        return pthread_detach(thread)
    }

    // A property of its own, because the compiler (6.3) crashes on a closure that is passed to `pthread_create` as it stands.
    #if canImport(Darwin)
    private static var entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { { BackgroundThread.run($0) } }
    #else
    private static var entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { { BackgroundThread.run($0) } }
    #endif

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
