import Foundation
import Martlet
import MartletCurl

/// Exits with a hundred TLS transfers in flight: half of them partly received streams, half waiting for their response heads.
///
/// With the argument `dropped` it exits while a released transport closes its idle TLS connections. With `executor` the calls are made on
/// the threads of the engines, and one of these threads ends the process.
@main
enum Exits {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let port = environment["MARTLET_HTTPS_PORT"], let folder = environment["MARTLET_CERTIFICATES"],
            let url = URL(string: "https://127.0.0.1:\(port)/slow")
        else { exit(2) }
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(folder + "/ca.pem")
        // Random: separate connections (HTTP/1.1), which cause more handshakes, or shared ones.
        configuration.allowsHTTP2 = Bool.random()
        if CommandLine.arguments.dropFirst().first == "dropped" {
            configuration.allowsHTTP2 = false
            try await keepConnections(CurlTransport(configuration), url.deletingLastPathComponent())
            exit(0)
        }
        let transport = CurlTransport(configuration)
        let executor = CommandLine.arguments.dropFirst().first == "executor" ? transport.taskExecutor : nil
        // The first request makes the engines.
        if executor != nil { _ = try await transport.send(HTTPRequest(url: url.deletingLastPathComponent())) }
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<100 {
            Task(executorPreference: executor) {
                var request = HTTPRequest(url: url)
                request.context.streamsBody = number % 2 == 0
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
        await withTaskExecutorPreference(executor) { exit(0) }
    }

    /// Opens up to sixty connections, which are idle when this function releases the last reference to their transport.
    private static func keepConnections(_ transport: CurlTransport, _ url: URL) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 { group.addTask { _ = try await transport.send(HTTPRequest(url: url)) } }
            try await group.waitForAll()
        }
    }
}
