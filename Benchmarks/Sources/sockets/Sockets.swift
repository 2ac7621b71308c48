import Foundation
import Martlet
import MartletWebSocket
import Measuring

/// Measures WebSockets over Benchmarks/sockets.py: idle connections, both sides held back by the other, and killed connections; and over
/// Benchmarks/peers/websocket-echo.c, the messages a second.
///
/// Usage: sockets idle URL [COUNT] | sockets pressure URL | sockets kills URL [COUNT] [SEED] | sockets echo URL COUNT WINDOW
@main
enum Sockets {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func number(_ place: Int, _ standard: Int) -> Int { arguments.count > place ? Int(arguments[place]) ?? -1 : standard }
        let count = number(2, arguments.first == "idle" ? 10_000 : 1_000), seed = number(3, 1)
        guard arguments.count > 1, let url = URL(string: arguments[1]), count > 0, seed >= 0 else { exitWithUsage() }
        var configuration = TransportConfiguration()
        configuration.maxUpgradedConnections = count + 100
        let client = HTTPClient(baseURL: url, transport: PlatformTransport(configuration))
        var problems: [String]
        switch arguments[0] {
        case "idle": problems = try await measureIdle(count, client)
        case "pressure": problems = try await Pressure(client: client).run()
        case "echo": problems = try await Echo(client: client, count: count, window: number(3, 0)).run()
        case "kills": problems = try await Kills(client: client, count: count, seed: seed).run()
        default: exitWithUsage()
        }
        let rest = await client.drain(within: .seconds(5))
        if rest != DrainSummary() { problems.append("calls were running after the last had ended: \(rest)") }
        for problem in problems { print("FAILED: \(problem)") }
        if !problems.isEmpty { exit(1) }
    }

    private static func exitWithUsage() -> Never {
        print("usage: sockets idle URL [COUNT] | pressure URL | kills URL [COUNT] [SEED] | echo URL COUNT WINDOW")
        exit(64)
    }

    /// Opens connections, 64 at a time, and prints the memory and the time that they take.
    private static func measureIdle(_ count: Int, _ client: HTTPClient) async throws -> [String] {
        // The first connections load libraries and start threads.
        for socket in try await open(100, client) { await socket.close() }
        let before = try Memory.resident(), start = ContinuousClock.now
        let sockets = try await open(count, client)
        let opened = ContinuousClock.now - start, after = try Memory.resident(), used = ProcessorTime.seconds()
        try await Task.sleep(for: .seconds(5))
        let idleTime = ProcessorTime.seconds() - used
        let roundTrips = try await (0..<5).asyncMap { _ in try await sockets[.random(in: sockets.indices)].ping() }
        let began = ContinuousClock.now
        _ = try await client.send(Request<Data>.get("account"))
        let ordinary = ContinuousClock.now - began
        print(
            "\(count) idle connections: \(Double(after - before) / Double(count)) KB of memory each, \(Int(Double(count) / (opened / .seconds(1)))) opened a second,",
            "\(idleTime) s of CPU in 5 s; beside them a ping takes \(roundTrips.min() ?? .zero), another request \(ordinary)")
        let closing = ContinuousClock.now
        await withTaskGroup(of: Bool.self) { group in
            for socket in sockets { group.addTask { await socket.close().closure?.code == .normalClosure } }
            var closed = 0
            for await isNormal in group where isNormal { closed += 1 }
            print("\(closed) of them closed with 1000 in \((ContinuousClock.now - closing) / .seconds(1)) s")
        }
        return after - before > count * 100 ? ["an idle connection takes more than 100 KB"] : []
    }

    private static func open(_ count: Int, _ client: HTTPClient) async throws -> [WebSocket] {
        try await withThrowingTaskGroup(of: [WebSocket].self) { group in
            for worker in 0..<64 {
                group.addTask {
                    try await stride(from: worker, to: count, by: 64).asyncMap { _ in try await client.webSocket(.get("idle")) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension Sequence {
    /// Transforms the elements one after the other.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

/// What the server says about its connections.
struct Account: Decodable, Sendable {
    struct Kill: Decodable, Sendable {
        /// The messages that the server has sent whole.
        let sent: Int
        let received: Int
        /// Whether each message was the next one, with its whole content.
        let isOrdered: Bool
        /// Whether the connection was reset, and not ended after the bytes that were sent.
        let isReset: Bool
        let isStuck: Bool?
    }

    let kills: [String: Kill]
    let flooded: Int
}
