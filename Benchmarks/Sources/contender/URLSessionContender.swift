import Foundation
import Martlet
import Measuring

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession with completion handlers, because its async methods can deadlock on Linux, and with as many connections as Martlet's.
struct URLSessionContender: Contender {
    private let origin: URL
    private let session: URLSession

    init(origin: URL) {
        self.origin = origin
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = TransportConfiguration().maxConnectionsPerOrigin
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 120
        session = URLSession(configuration: configuration)
    }

    func spokenProtocol() async throws -> String { String(decoding: try await load("protocol"), as: UTF8.self) }

    func call(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: return CallResult(bytes: try await load(work.rawValue).count)
        case .json:
            return try CallResult(products: try JSONDecoder().decode([Product].self, from: try await load("json")).count)
        case .upload:
            _ = try await load("upload", posting: Data(count: 1 << 20), type: "application/octet-stream")
            return CallResult()
        case .graphql:
            return try Birds.check(try await load("graphql", posting: Birds.body, type: "application/json"))
        case .download, .events: throw Unsupported(work)
        }
    }

    private func load(_ path: String, posting body: Data? = nil, type: String? = nil) async throws -> Data {
        var request = URLRequest(url: origin.appendingPathComponent(path))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
            session.dataTask(with: request) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                if let error {
                    continuation.resume(throwing: error)
                } else if status / 100 == 2 {
                    continuation.resume(returning: data ?? Data())
                } else {
                    continuation.resume(throwing: WrongResponse("status \(status)"))
                }
            }.resume()
        }
    }
}
