import Foundation
import Martlet
import MartletWebSocket

/// Exchanges numbered messages over connections that the server ends at a random byte, and compares the numbers of both sides.
///
/// Each message of the client is one that the server received, one whose `send` returned but that was lost with the connection, or one whose
/// `send` threw, so that the app does not know. Each message that the server sent whole before an orderly end must be received.
struct Kills {
    let client: HTTPClient
    let count: Int
    let seed: Int

    /// What the client says about a connection.
    private struct Ledger: Sendable {
        let seed: Int
        /// The numbers of messages whose `send` returned and threw. At most one threw, because the sender stops there.
        var sent = 0
        var unknown = 0
        var received = 0
        var isOrdered = true
        var end: WebSocketError?
    }

    private struct Sum {
        var sent = 0, unknown = 0, arrived = 0, lost = 0, unknownArrived = 0, received = 0, resets = 0, missing = 0
    }

    func run() async throws -> [String] {
        let start = ContinuousClock.now
        let ledgers = try await withThrowingTaskGroup(of: [Ledger].self) { group in
            for worker in 0..<32 {
                group.addTask {
                    var ledgers: [Ledger] = []
                    for number in stride(from: worker, to: count, by: 32) { ledgers.append(try await exchange(seed + number)) }
                    return ledgers
                }
            }
            return try await group.reduce(into: [Ledger]()) { $0 += $1 }
        }
        // The server may still read messages that arrived.
        try await Task.sleep(for: .seconds(1))
        let account = try await client.send(.get("account"), as: Account.self)
        var sum = Sum(), problems: [String] = []
        for ledger in ledgers {
            guard let server = account.kills["\(ledger.seed)"] else {
                problems.append("seed \(ledger.seed): the server knows no such connection")
                continue
            }
            problems += check(ledger, server).map { "seed \(ledger.seed): \($0)" }
            sum.sent += ledger.sent
            sum.unknown += ledger.unknown
            sum.arrived += min(server.received, ledger.sent)
            sum.lost += max(0, ledger.sent - server.received)
            sum.unknownArrived += max(0, server.received - ledger.sent)
            sum.received += ledger.received
            sum.missing += server.sent - ledger.received
            sum.resets += server.isReset ? 1 : 0
        }
        print(
            "\(count) kills (\(sum.resets) resets) in \((ContinuousClock.now - start) / .seconds(1)) s: \(sum.sent + sum.unknown) messages sent = \(sum.arrived) received by the server",
            "+ \(sum.lost) returned and lost + \(sum.unknown) reported as unknown (\(sum.unknownArrived) of them received);",
            "\(sum.received) received, and \(sum.missing) lost in resets")
        if sum.arrived + sum.lost + sum.unknown != sum.sent + sum.unknown { problems.append("the sums differ") }
        return Array(problems.prefix(20))
    }

    private func check(_ ledger: Ledger, _ server: Account.Kill) -> [String] {
        var problems: [String] = []
        if !ledger.isOrdered { problems.append("messages were received out of order, twice or changed") }
        if !server.isOrdered { problems.append("the server received messages out of order, twice or changed") }
        if server.received > ledger.sent + ledger.unknown { problems.append("the server received more than was sent") }
        if ledger.received > server.sent { problems.append("more was received than the server sent") }
        if !server.isReset, ledger.received < server.sent { problems.append("\(server.sent - ledger.received) messages are missing") }
        if server.isStuck == true { problems.append("the client did not close the connection") }
        guard case .failed(.networkError)? = ledger.end else {
            problems.append("the connection ended with \(ledger.end.map { "\($0)" } ?? "no error")")
            return problems
        }
        return problems
    }

    private func exchange(_ seed: Int) async throws -> Ledger {
        let socket = try await client.webSocket(.get("kill", query: ["seed": seed]))
        async let sending = send(socket)
        var ledger = Ledger(seed: seed)
        do throws(WebSocketError) {
            for try await message in socket.messages {
                ledger.isOrdered = ledger.isOrdered && message == Kills.message(ledger.received + 1, factor: 53)
                ledger.received += 1
            }
        } catch { ledger.end = error }
        (ledger.sent, ledger.unknown) = await sending
        return ledger
    }

    /// Sends messages until that fails.
    private func send(_ socket: WebSocket) async -> (sent: Int, unknown: Int) {
        for number in 1...100_000 {
            do { try await socket.send(Kills.message(number, factor: 37)) } catch { return (number - 1, 1) }
        }
        return (100_000, 0)
    }

    private static func message(_ number: Int, factor: Int) -> WebSocketMessage {
        .text("\(number) " + String(repeating: "x", count: number * factor % 2_000))
    }
}
