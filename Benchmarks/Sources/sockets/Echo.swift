import Martlet
import MartletWebSocket
import Measuring

/// Messages of 100 bytes to a server that sends each back. Prints the messages a second and the CPU of each in microseconds.
struct Echo: Sendable {
    let client: HTTPClient
    let count: Int
    /// The number of messages in flight, or 0 to send all as fast as possible while another task receives.
    let window: Int

    func run() async throws -> [String] {
        let socket = try await client.webSocket(.get("echo"))
        let message = WebSocketMessage.text(String(repeating: "x", count: 100))
        let began = ContinuousClock.now, used = ProcessorTime.seconds()
        let received = window > 0 ? try await inFlight(socket, message) : try await streamed(socket, message)
        let seconds = (ContinuousClock.now - began) / .seconds(1), processor = ProcessorTime.seconds() - used
        print(Int(Double(count) / seconds), processor / Double(count) * 1_000_000)
        await socket.close()
        return received == count ? [] : ["\(count) messages were sent, and \(received) received"]
    }

    private func inFlight(_ socket: WebSocket, _ message: WebSocketMessage) async throws -> Int {
        for _ in 0..<min(window, count) { try await socket.send(message) }
        var received = 0
        for try await echo in socket.messages where echo == message {
            received += 1
            if received + window <= count { try await socket.send(message) }
            if received == count { break }
        }
        return received
    }

    private func streamed(_ socket: WebSocket, _ message: WebSocketMessage) async throws -> Int {
        async let received = { () async throws -> Int in
            var received = 0
            for try await echo in socket.messages where echo == message {
                received += 1
                if received == count { break }
            }
            return received
        }()
        for _ in 0..<count { try await socket.send(message) }
        return try await received
    }
}
