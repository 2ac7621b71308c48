import Foundation
import MartletHTTP

@testable import MartletCurl

extension CurlTransport {
    /// The requests that run on each engine. Empty before the engines are made.
    var running: [Int] { engine.state.withLock { $0.engine?.running } ?? [] }

    /// Sends the request, reads the body, and returns the error if there is one.
    func failure(of request: HTTPRequest) async -> HTTPError? {
        do {
            _ = try await send(request).body.collect()
            return nil
        } catch { return error }
    }
}

/// A gate that opens once and then releases all its waiters.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits and blocks the thread, for a server's script.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits without blocking a thread of the concurrency pool.
    func opened() async {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                self.wait()
                done.resume()
            }
        }
    }
}
