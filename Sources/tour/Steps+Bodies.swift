import FoundationEssentials
import Martlet
import MartletTesting
import MartletWebSocket

extension Step {
    static let download = Step(name: "download", title: "A download that resumes after its connection breaks") { stage in
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        stage.printer.asked("for try await event in client.downloadUpdates(.get(\"song\"), to: file)")
        let options = DownloadOptions(backoff: .constant(.milliseconds(200)), progressInterval: .zero)
        var finished: TransferredFile?
        for try await event in stage.client.downloadUpdates(.get("song"), to: folder.appending(path: "song.ogg"), options: options) {
            switch event {
            case .progress(let progress): stage.printer.progress(progress.bytes, of: progress.total ?? 0)
            case .finished(let file): finished = file
            }
        }
        guard let file = finished else { throw Misbehaviour("the download did not end") }
        let rest = stage.server.main.requests.last { $0.path == "/song" }?.headers
        stage.printer.got(
            "the connection broke; requested \(rest?[.range] ?? "everything") if the version is still \(rest?[.ifRange] ?? "unknown")")
        try check(file.resumptions == 1, "expected one resumption, got \(file.resumptions)")
        try check(try Data(contentsOf: file.url) == BirdServer.song, "the file is not the song")
        stage.printer.got("\(file.bytes) bytes, all correct, and no other file in the folder")
        try check(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1, "another file was left behind")
    }

    static let events = Step(name: "events", title: "Server-sent events: the stream breaks, and no event is lost") { stage in
        stage.printer.asked("for try await event in client.events(.get(\"sightings\"))")
        let options = EventOptions(reconnection: EventReconnection(delay: .milliseconds(100)))
        var seen: [String] = []
        for try await event in stage.client.events(.get("sightings"), options: options) {
            stage.printer.got("\(event.type) \(event.id): \(event.data)")
            seen.append(event.data)
        }
        let last = stage.server.main.requests.last { $0.path == "/sightings" }?.headers["Last-Event-ID"]
        stage.printer.got("a 204 ended it; the last request had Last-Event-ID: \(last ?? "nothing")")
        try check(seen == ["a swift", "a martin", "a swallow"], "expected three birds, got \(seen)")
        try check(last == "3", "expected the last id, got \(last ?? "none")")
    }
    static let chat = Step(name: "chat", title: "A chat over WebSocket: the connection is lost once, and opened again") { stage in
        stage.printer.asked("for try await signal in client.reconnectingWebSocket(.get(\"chat\")) { try await $0.send(\"srii?\") }.signals")
        let rules = WebSocketReconnection(delay: .milliseconds(100))
        let chat = stage.client.reconnectingWebSocket(.get("chat"), rules: rules) { socket in try await socket.send("srii?") }
        var heard: [String] = [], losses = 0
        for try await signal in chat.signals {
            switch signal {
            case .message(.text(let call)):
                stage.printer.got(call)
                heard.append(call)
            case .reconnecting:
                stage.printer.got("the connection was lost")
                losses += 1
            default: break
            }
        }
        let asked = stage.server.main.webSockets.flatMap(\.messages)
        stage.printer.got("closed normally; the server heard \(asked.count) greetings")
        try check(heard == ["srii!", "srii-srii!"] && losses == 1, "expected two calls and one loss, got \(heard) and \(losses)")
        try check(asked == ["srii?", "srii?"], "expected a greeting on each connection, got \(asked)")
    }
}
