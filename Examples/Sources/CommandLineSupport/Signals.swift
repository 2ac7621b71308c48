import Dispatch
import Foundation

/// Returns the deliveries of a signal to this process, such as SIGTERM. From now on the signal does not end the process.
public func signals(_ number: Int32) -> AsyncStream<Void> {
    signal(number, SIG_IGN)  // a dispatch source also sees an ignored signal
    let watcher = SignalWatcher(number)
    return AsyncStream { watcher.start($0) }
}

/// Watches one signal.
///
/// It can be `@unchecked Sendable`, because every method of a dispatch source can be called from any thread.
private final class SignalWatcher: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ number: Int32) { source = DispatchSource.makeSignalSource(signal: number, queue: .global()) }

    func start(_ continuation: AsyncStream<Void>.Continuation) {
        source.setEventHandler { continuation.yield() }
        continuation.onTermination = { _ in self.source.cancel() }
        source.resume()
    }
}
