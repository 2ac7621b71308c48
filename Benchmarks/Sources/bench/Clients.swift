import Foundation
import Martlet
import MartletCurl
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client to measure. It sends one GET and checks the length of the body.
struct Contender: Sendable {
    let name: String
    let get: @Sendable () async throws -> Void

    struct WrongLength: Error { let got: Int }

    /// Returns Martlet with all defaults, as an app uses it.
    static func martlet(_ url: URL, bytes: Int) -> Contender {
        let client = HTTPClient()
        let request = Request<Data>.get(url: url)
        return Contender(name: "Martlet") {
            let count = try await client.send(request).count
            guard count == bytes else { throw WrongLength(got: count) }
        }
    }

    /// Returns Martlet with authentication and the standard interceptors. Logging writes nothing in release builds.
    static func standard(_ url: URL, bytes: Int) -> Contender {
        let tokens = AuthInterceptor(StaticTokenProvider("token"), origins: Origin(url).map { [$0] })
        let client = HTTPClient(interceptors: StandardInterceptors(authentication: tokens).list)
        let request = Request<Data>.get(url: url)
        return Contender(name: "standard") {
            let count = try await client.send(request).count
            guard count == bytes else { throw WrongLength(got: count) }
        }
    }

    /// Returns Martlet with its requests distributed over several transports, each with its own engine thread.
    static func sharded(_ url: URL, bytes: Int, shards: Int) -> Contender {
        let clients = (0..<shards).map { _ in HTTPClient(transport: CurlTransport()) }
        let turn = Turn()
        let request = Request<Data>.get(url: url)
        return Contender(name: "Martlet over \(shards) engines") {
            let count = try await clients[turn.next(of: shards)].send(request).count
            guard count == bytes else { throw WrongLength(got: count) }
        }
    }

    /// Returns URLSession with completion handlers, because its async methods can deadlock on Linux (see the decision on libcurl).
    static func urlSession(_ url: URL, bytes: Int, inFlight: Int) -> Contender {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = inFlight
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        return Contender(name: "URLSession") {
            let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
                session.dataTask(with: url) { data, _, error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: data?.count ?? 0) }
                }.resume()
            }
            guard count == bytes else { throw WrongLength(got: count) }
        }
    }
}

/// Selects the shards in turn.
final class Turn: Sendable {
    private let count = Atomic(0)

    func next(of shards: Int) -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue % shards }
}
