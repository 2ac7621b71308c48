import Foundation
import Martlet
import MartletCurl

/// Ends with a hundred TLS transfers in flight: half of them streams of whose bodies some has come, half still waiting for their heads.
@main
enum Exits {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let port = environment["MARTLET_HTTPS_PORT"], let folder = environment["MARTLET_CERTIFICATES"],
            let url = URL(string: "https://127.0.0.1:\(port)/slow")
        else { exit(2) }
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(folder + "/ca.pem")
        // Connections of their own, as far as that makes more handshakes, and shared ones.
        configuration.versions = Bool.random() ? .automatic : .http11
        let transport = CurlTransport(configuration: configuration)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<100 {
            Task {
                var request = HTTPRequest(url: url)
                request.context.delivery = number % 2 == 0 ? .streamed : .buffered
                if number % 2 == 1 { starter.yield() }
                let response = try await transport.send(request)
                for try await _ in response.body { starter.yield() }
            }
        }
        var count = 0
        for await _ in started {
            count += 1
            if count == 100 { break }
        }
        exit(0)
    }
}
