import Foundation
import Martlet
import MartletWebSocket
import Measuring
import Synchronization

/// Measures how much one side takes in while the other does not read.
struct Pressure {
    let client: HTTPClient

    private static let total = 200_000_000
    /// What a side may take in: the buffers of the system, which grow to 6 MB for a receiver and 4 MB for a sender, and Martlet's own.
    private static let most = 20_000_000

    func run() async throws -> [String] {
        var problems: [String] = []
        for senders in [1, 64] { problems += try await sendToSlowReader(senders) }
        return problems + (try await readSlowly())
    }

    /// Sends 200 MB from some tasks to a server that reads nothing for three seconds.
    private func sendToSlowReader(_ senders: Int) async throws -> [String] {
        let socket = try await client.webSocket(.get("unread", query: ["seconds": 3]))
        let message = WebSocketMessage.data(Data(count: 50_000)), count = Pressure.total / 50_000
        let accepted = Accepted()
        try Memory.forgetPeak()
        let before = try Memory.resident(), start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<senders {
                group.addTask {
                    for _ in 0..<(count / senders) {
                        try await socket.send(message)
                        accepted.bytes.wrappingAdd(50_000, ordering: .relaxed)
                    }
                }
            }
            try await Task.sleep(for: .seconds(2))
            let early = accepted.bytes.load(ordering: .relaxed), memory = try Memory.peak() - before
            try await group.waitForAll()
            let all = accepted.bytes.load(ordering: .relaxed)
            try await socket.send(.data(Data("end".utf8)))
            var received = ""
            for try await case .text(let text) in socket.messages {
                received = text
                break
            }
            print(
                "\(senders) senders to a server that does not read: \(early) bytes accepted in 2 s, \(memory) KB more memory; then \(all) sent, \(received) received",
                "after \((ContinuousClock.now - start) / .seconds(1)) s, \(try Memory.peak() - before) KB")
            await socket.close()
            if early > Pressure.most { throw Problem("\(early) bytes were accepted for a server that did not read") }
            if "\(all)" != received { throw Problem("\(all) bytes were sent, and \(received) received") }
        }
        return []
    }

    /// Reads one message, and then nothing for two seconds, of a server that sends without end.
    private func readSlowly() async throws -> [String] {
        try Memory.forgetPeak()
        let before = try Memory.resident()
        let socket = try await client.webSocket(.get("flood", query: ["bytes": Pressure.total]))
        var messages = socket.messages.makeAsyncIterator(), count = 0
        if try await messages.next() != nil { count += 1 }
        try await Task.sleep(for: .seconds(2))
        let early = try await client.send(.get("account"), as: Account.self).flooded, memory = try Memory.peak() - before
        while count < Pressure.total / 1_000, try await messages.next() != nil { count += 1 }
        print("a reader that pauses for 2 s: the server has sent \(early) bytes, \(memory) KB more memory; then \(count) messages of 1,000 bytes, \(try Memory.peak() - before) KB")
        await socket.close()
        return early > Pressure.most ? ["the server could send \(early) bytes to a reader that did not read"] : []
    }
}

/// The bytes whose sends have returned.
private final class Accepted: Sendable {
    let bytes = Atomic(0)
}

/// Something that a measurement did not expect.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
