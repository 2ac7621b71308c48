import Foundation
import MartletMockServer
import MartletWebSocketProtocol
import Testing

@testable import MartletMockServer

/// Tests what the script of a WebSocket makes the server do, without a connection.
@Suite(.timeLimit(.minutes(5)))
struct WebSocketPlayerTests {
    /// Plays a script and returns its actions as text, in which frames are written as the events that a client reads.
    private struct Stage {
        var player: WebSocketPlayer
        var client = WebSocketConnectionMachine(role: .client)

        init(_ steps: WebSocketStep..., cut: (bytes: Int, isReset: Bool)? = nil) {
            player = WebSocketPlayer(steps, machine: WebSocketConnectionMachine(role: .server), cut: cut)
        }

        /// Returns the actions up to the next wait.
        mutating func actions() -> [String] {
            var actions: [String] = []
            while let action = player.next() {
                switch action {
                case .write(let bytes):
                    client.receive(bytes)
                    var isEvent = false
                    while let event = client.next() {
                        isEvent = true
                        switch event {
                        case .message(.text(let text)): actions.append("text \(text)")
                        case .message(.data(let data)): actions.append("data \(data.count)")
                        case .ping(let payload): actions.append("ping \(payload.count)")
                        case .pong(let payload): actions.append("pong \(payload.count)")
                        case .close(let code, let reason): actions.append("close \(code?.rawValue ?? 0) \(reason)")
                        case .failed(let violation): actions.append("\(violation)")
                        }
                    }
                    if !isEvent { actions.append("\(bytes.count) bytes") }
                case .wait(let duration): actions.append("wait \(duration)")
                case .end: actions.append("end")
                case .breakOff(let isReset): actions.append(isReset ? "reset" : "drop")
                }
            }
            return actions
        }

        mutating func receive(_ send: (inout WebSocketConnectionMachine) -> Void) -> [String] {
            send(&client)
            if let bytes = client.takeOutput() { player.receive(bytes) }
            return actions()
        }

        mutating func receive(_ texts: String...) -> [String] {
            receive { client in for text in texts { _ = client.send(.text(text)) } }
        }

        mutating func failures() -> [String] {
            player.takeNotes().compactMap { if case .failure(let words) = $0 { words } else { nil } }
        }
    }

    @Test("Steps that send are played at once, and each as its own write")
    func sends() {
        var stage = Stage(
            .send("a"), .send(.data(Data(count: 3))), .send("κό", fragmentBytes: 1), .send(json: ["b": 1, "a": [true]]), .ping(Data([1])),
            .pong())
        #expect(stage.actions() == ["text a", "data 3", "text κό", #"text {"a":[true],"b":1}"#, "ping 1", "pong 0"])
        #expect(stage.actions().isEmpty)
    }

    @Test("A fulfilled expectation continues the script; a message that arrives earlier is kept for it")
    func expectations() {
        var stage = Stage(
            .expect("a"), .send("1"), .expect(json: ["x": 1]), .expect(jsonContaining: ["y": 2]), .expect("short") { $0.byteCount < 3 },
            .send("2"))
        #expect(stage.actions().isEmpty)
        #expect(stage.receive("a", #"{"x": 1}"#) == ["text 1"])
        #expect(stage.receive(#"{"y":2,"z":3}"#).isEmpty)
        #expect(stage.receive("b") == ["text 2"])
        #expect(stage.failures().isEmpty)
    }

    @Test("An expectation that is not fulfilled closes with 1008 and the difference, and ends the script")
    func disappointments() {
        var text = Stage(.expect("a"), .send("never"))
        #expect(text.receive("b") == [#"close 1008 expected "a", received "b""#])
        #expect(text.failures() == [#"expected "a", received "b""#])
        var data = Stage(.expect(.data(Data([1, 0xAB]))))
        #expect(data.receive("b") == [#"close 1008 expected 2 bytes 01ab, received "b""#])
        var json = Stage(.expect(json: ["x": ["y": 1]]))
        #expect(json.receive(#"{"x":{"y":2}}"#) == ["close 1008 body /x/y: expected 1, found 2"])
        var noJSON = Stage(.expect(json: 1))
        #expect(noJSON.receive("x") == [#"close 1008 expected JSON 1, received "x""#])
        var condition = Stage(.expect("a greeting") { $0 == "hello" })
        #expect(condition.receive("x") == [#"close 1008 expected a greeting, received "x""#])
    }

    @Test("Expectations that the end of the connection leaves open are failures")
    func unfulfilled() {
        var closed = Stage(.expect("a"))
        #expect(closed.receive { $0.close(code: .goingAway) } == ["close 1001 ", "end"])
        #expect(closed.failures() == [#"expect("a") is not fulfilled: the connection has ended"#])
        var lost = Stage(.expect("a"), .expect("b"))
        _ = lost.receive("a")
        lost.player.clientEnded()
        #expect(lost.failures() == [#"expect("b") is not fulfilled: the connection has ended"#])
        var fulfilled = Stage(.expect("a"), .send("late"))
        #expect(
            fulfilled.receive { client in
                _ = client.send("a")
                client.close(code: nil)
            } == ["text late", "close 0 ", "end"])
        #expect(fulfilled.failures().isEmpty)
    }

    @Test("Answers are played for each message, as often as asked, and the script continues after the last")
    func answers() {
        var stage = Stage(.answer(2) { [.send("got"), .send($0)] }, .send("done"), .echo)
        #expect(stage.receive("a") == ["text got", "text a"])
        #expect(stage.receive("b", "c") == ["text got", "text b", "text done", "text c"])
        #expect(stage.receive("d") == ["text d"])
    }

    @Test("Added steps are played when the script has ended, or waits for any message, but not before an expectation")
    func added() {
        var stage = Stage(.expect("a"), .echo)
        stage.player.add([.send("1"), .expect("b"), .send("2")])
        #expect(stage.actions().isEmpty)
        #expect(stage.receive("a") == ["text 1"])
        #expect(stage.receive("b", "c") == ["text 2", "text c"])
        var idle = Stage()
        #expect(idle.actions().isEmpty)
        idle.player.add([.send("x")])
        #expect(idle.actions() == ["text x"])
    }

    @Test("During a delay, pings have their pongs, and messages and a Close frame are read")
    func delays() {
        var stage = Stage(.delay(.seconds(1)), .expect("a"), .send("b"), .delay(.zero))
        #expect(stage.actions() == ["wait 1.0 seconds"])
        #expect(
            stage.receive { client in
                _ = client.send("a")
                _ = client.ping(Data([1, 2]))
            } == ["pong 2"])
        stage.player.resume()
        #expect(stage.actions() == ["text b"])
        var closed = Stage(.delay(.seconds(1)), .send("late"))
        _ = closed.actions()
        #expect(closed.receive { $0.close(code: .normalClosure) } == ["close 1000 "])
        closed.player.resume()
        #expect(closed.actions() == ["end"])
    }

    @Test("A Close frame of the script waits for that of the client, and one of the client is echoed after the script")
    func closing() {
        var stage = Stage(.close(.serviceRestart, reason: "later"))
        #expect(stage.actions() == ["close 1012 later"])
        // The client's machine has replied.
        #expect(stage.receive { _ in } == ["end"])
        #expect(stage.actions().isEmpty)
        var echo = Stage(.echo)
        #expect(echo.receive { $0.close(code: 4000) } == ["close 4000 ", "end"])
    }

    @Test("Pings and Close frames can be ignored")
    func ignoring() {
        var stage = Stage(.ignorePings, .ignoreClose)
        #expect(stage.receive { _ = $0.ping() }.isEmpty)
        #expect(stage.receive { $0.close(code: .normalClosure) }.isEmpty)
        stage.player.add([.drop()])
        #expect(stage.actions() == ["drop"])
        // A violation ends the connection all the same.
        var wrong = Stage(.ignoreClose)
        _ = wrong.actions()
        wrong.player.receive(Data([0xFF, 0x80]))
        #expect(wrong.actions() == ["close 1002 a frame has reserved bits", "end"])
    }

    @Test("Nothing is read between stopReading and resumeReading")
    func reading() {
        var stage = Stage(.stopReading, .delay(.seconds(1)), .resumeReading, .echo)
        #expect(stage.actions() == ["wait 1.0 seconds"])
        #expect(!stage.player.isReading && stage.receive("a").isEmpty && stage.player.unread > 0)
        stage.player.resume()
        #expect(stage.actions() == ["text a"])
        #expect(stage.player.isReading)
    }

    @Test("Wrong frames and bytes are sent as they are")
    func wrong() {
        func bytes(_ step: WebSocketStep) -> [UInt8] {
            var stage = Stage(step)
            guard case .write(let bytes) = stage.player.next() else { return [] }
            return Array(bytes)
        }
        #expect(bytes(.frame(0x3, "ab")) == [0x83, 2, 0x61, 0x62])
        #expect(bytes(.frame(0x1, "a", isFinal: false, reservedBits: 5)) == [0x51, 1, 0x61])
        #expect(bytes(.frame(0xFF, .data(Data()), reservedBits: 0xFF)) == [0xFF, 0])
        #expect(bytes(.frame(0x9, .data(Data(count: 126)))) == [0x89, 126, 0, 126] + [UInt8](repeating: 0, count: 126))
        #expect(bytes(.raw(Data([1, 2]))) == [1, 2])
    }

    @Test("A drop ends the connection at its place in the script, or after a number of bytes of frames")
    func drops() {
        var stage = Stage(.send("a"), .drop(reset: true), .send("b"))
        #expect(stage.actions() == ["text a", "reset"])
        var cut = Stage(.send("abc"), .send("def"), cut: (7, false))
        #expect(cut.actions() == ["text abc", "2 bytes", "drop"])
        var between = Stage(.send("abc"), .send("def"), cut: (5, true))
        #expect(between.actions() == ["text abc", "reset"])
        var never = Stage(.send("abc"), cut: (6, false))
        #expect(never.actions() == ["text abc"])
        var first = Stage(.send("abc"), cut: (0, false))
        #expect(first.actions() == ["drop"])
    }
}
