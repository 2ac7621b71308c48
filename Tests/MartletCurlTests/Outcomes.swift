import Foundation
import MartletHTTP

@testable import MartletCurl

extension CurlTransport {
    /// A transport with one engine over the installed libcurl that behaves as over another version.
    static func behaving(
        as version: CurlVersion?, _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> CurlTransport {
        var library = try CurlLibrary.shared.get(), configuration = CurlTransport.Configuration()
        if let version { library.resolver.version = version }
        configuration.engines = 1
        configure(&configuration)
        let known = library
        return CurlTransport(.success(known), configuration)
    }

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
