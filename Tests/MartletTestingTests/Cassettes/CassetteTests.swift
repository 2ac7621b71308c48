import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Cassettes", .timeLimit(.minutes(5))) struct CassetteTests {
    private func cassette(_ file: URL, _ mode: CassetteMode, _ environment: [String: String] = [:]) throws -> Cassette {
        try Cassette(at: file, mode: mode, environment: environment)
    }

    @Test("A cassette replays by default, and a missing file is an error whatever the environment says")
    func replay() async throws {
        let folder = try TemporaryFolder()
        #expect(throws: CassetteError.self) { try Cassette(at: folder.file()) }
        #expect(throws: CassetteError.self) { try Cassette(at: folder.file(), environment: ["MARTLET_RECORD": "1"]) }
        try Har.log(Har.entry(response: #""content":{"text":"hi"}"#)).write(to: folder.file())
        let cassette = try Cassette(at: folder.file())
        let error = await #expect(throws: CassetteError.self) { try await cassette.finish() }
        #expect(error.map { "\($0)" } == "never used:\n  entry 1: GET https://api.example/x")
        #expect(try await cassette.send(Har.request()).body.buffered == Data("hi"))
        try await cassette.finish()
    }

    @Test("A cassette in recording mode records a new file")
    func record() async throws {
        let folder = try TemporaryFolder()
        try Har.log(Har.entry(), Har.entry()).write(to: folder.file())
        let cassette = try cassette(folder.file(), .record(MockTransport(.text("new"))))
        #expect(cassette.isRecording)
        _ = try await cassette.send(Har.request())
        try await cassette.finish()
        #expect(try ReplayTransport(contentsOf: folder.file()).count == 1)
    }

    @Test("A missing file is recorded, but not if CI is set")
    func replayOrRecord() async throws {
        let folder = try TemporaryFolder()
        let mode = CassetteMode.replayOrRecord(MockTransport(.text("new")))
        #expect { try cassette(folder.file(), mode, ["CI": "true"]) } throws: { "\($0)".contains("none is made because CI is set") }
        let first = try cassette(folder.file(), mode, ["CI": "false"])
        #expect(first.isRecording)
        _ = try await first.send(Har.request())
        try await first.finish()
        #expect(try !cassette(folder.file(), mode).isRecording)
        #expect(try !cassette(folder.file(), mode, ["CI": "true"]).isRecording)
    }

    @Test("Only the named environment variable starts a recording")
    func environment() throws {
        let folder = try TemporaryFolder()
        try Har.log().write(to: folder.file())
        let mode = CassetteMode.environment(MockTransport(.text("new")))
        for (value, isRecording) in ["1": true, "all": true, "ALL": true, "missing": false, "0": false, "": false, "no": false] {
            #expect(try cassette(folder.file(), mode, ["MARTLET_RECORD": value]).isRecording == isRecording, "\(value)")
        }
        #expect(try !cassette(folder.file(), mode).isRecording)
        let own = CassetteMode.environment(MockTransport(), variable: "SHOP_RECORD")
        #expect(try !cassette(folder.file(), own, ["MARTLET_RECORD": "1"]).isRecording)
        #expect(try cassette(folder.file(), own, ["SHOP_RECORD": "1"]).isRecording)
        #expect(try cassette(folder.file("other.har"), mode, ["MARTLET_RECORD": "missing"]).isRecording)
        #expect(throws: CassetteError.self) { try cassette(folder.file("other.har"), mode, ["MARTLET_RECORD": "missing", "CI": "1"]) }
        #expect(throws: CassetteError.self) { try cassette(folder.file("other.har"), mode) }
    }
}
