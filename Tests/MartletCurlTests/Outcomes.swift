import Foundation
import MartletHTTP

@testable import MartletCurl

extension CurlTransport {
    /// Sends, reads the body, and gives the error if there was one.
    func failure(of request: HTTPRequest) async -> HTTPError? {
        do {
            _ = try await send(request).body.collect()
            return nil
        } catch { return error }
    }
}

/// Opens once; who waits for it goes on then.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Blocks the thread: for a server's script.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits without blocking one of the tasks' threads.
    func opened() async {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                self.wait()
                done.resume()
            }
        }
    }
}
