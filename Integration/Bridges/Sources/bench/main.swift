#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import Martlet
import MartletBridges
import MartletCurl

#if canImport(Glibc)
import Glibc
#endif

/// Makes small calls for some seconds, `inFlight` at a time, and prints the calls per second and the processor time of one:
/// bench bare|bridge|given|send|curl URL IN-FLIGHT SECONDS. See Integration/Bridges/bench.py.
///
/// `bare` is async-http-client alone, `bridge` a Martlet client over it, `given` the same over a client of the app, `send` the transport
/// without a client, `curl` a client over libcurl.
let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[2]), let inFlight = Int(arguments[3]), let seconds = Double(arguments[4]) else {
    fatalError("usage: bench bare|bridge|given|send|curl URL IN-FLIGHT SECONDS")
}
var configuration = TransportConfiguration()
configuration.maxConnectionsPerOrigin = max(64, inFlight)
if let file = ProcessInfo.processInfo.environment["CA"] { configuration.tls.trust = .file(file) }
let call: @Sendable () async throws -> Int
switch arguments[1] {
case "bare":
    var settings = AsyncHTTPClient::HTTPClient.Configuration()
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maxConnectionsPerOrigin
    let client = AsyncHTTPClient::HTTPClient(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup, configuration: settings)
    call = {
        let response = try await client.execute(HTTPClientRequest(url: url.absoluteString), timeout: .seconds(60))
        return try await response.body.collect(upTo: 1 << 24).readableBytes
    }
case "send":
    let transport = AsyncHTTPClientTransport(
        eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup, configuration: configuration)
    call = { try await transport.send(HTTPRequest(url: url)).body.buffered?.count ?? 0 }
default:
    let group = AsyncHTTPClient::HTTPClient.defaultEventLoopGroup
    var settings = AsyncHTTPClient::HTTPClient.Configuration(redirectConfiguration: .disallow)
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maxConnectionsPerOrigin
    let transport: any Transport =
        switch arguments[1] {
        case "curl": CurlTransport(configuration)
        case "given": AsyncHTTPClientTransport(AsyncHTTPClient::HTTPClient(eventLoopGroup: group, configuration: settings))
        default: AsyncHTTPClientTransport(eventLoopGroup: group, configuration: configuration)
        }
    let client = Martlet::HTTPClient(baseURL: url, transport: transport)
    call = { try await client.send(Request<Data>.get(url: url)).count }
}

/// Makes calls until a time and returns their number.
func drive(until end: ContinuousClock.Instant) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<inFlight {
            group.addTask {
                var count = 0
                repeat { count += try await call() > 0 ? 1 : 0 } while ContinuousClock.now < end
                return count
            }
        }
        return try await group.reduce(0, +)
    }
}

// Opens the connections.
_ = try await drive(until: .now + .seconds(seconds / 4))
let began = ContinuousClock.now, used = ProcessorTime.seconds()
let count = try await drive(until: began + .seconds(seconds))
let took = (ContinuousClock.now - began) / .seconds(1)
print("\(Int(Double(count) / took)) \((ProcessorTime.seconds() - used) / Double(count) * 1_000_000)")
exit(0)
#endif
