import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Recording", .timeLimit(.minutes(5))) struct RecordingTransportTests {
    @Test("An entry has every member that HAR 1.2 requires")
    func shape() async throws {
        let time = ManualTime()
        let mock = MockTransport(
            .json(#"{"id":1}"#, headers: ["Set-Cookie": "a=1; Path=/; HttpOnly", "Vary": "x", "Location": "/y"]).delayed(
                by: .milliseconds(20)),
            time: time)
        let har = try await Har.recorded(
            mock,
            Har.request(
                "https://api.example/users?page=2&name=%C3%BC#part", method: .post,
                headers: ["Accept": "*/*", "Content-Type": "application/x-www-form-urlencoded", "Cookie": "a=1; b=2"],
                body: HTTPBody("x=1+2&y")),
            time: time)

        let log = try #require(JSONValue(parsing: har)["log"])
        #expect(log["version"] == "1.2" && log["creator"] == ["name": "Martlet", "version": "1.0"])
        let entry = try Har.entry(of: har)
        let request = try #require(entry["request"])
        #expect(entry["startedDateTime"]?.stringValue?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) == true)
        #expect(entry["time"] == 20 && entry["cache"] == [:])
        #expect(entry["timings"] == ["blocked": -1, "dns": -1, "connect": -1, "send": 0, "wait": 20, "receive": 0, "ssl": -1])
        #expect(request["method"] == "POST" && request["url"] == "https://api.example/users?page=2&name=%C3%BC")
        #expect(request["queryString"] == [["name": "page", "value": "2"], ["name": "name", "value": "ü"]])
        #expect(request["cookies"] == [["name": "a", "value": "‹redacted›"], ["name": "b", "value": "‹redacted›"]])
        #expect(request["postData"]?["params"] == [["name": "x", "value": "1 2"], ["name": "y", "value": ""]])
        #expect(request["postData"]?["text"] == "x=1+2&y" && request["bodySize"] == 7 && request["headersSize"] == -1)
        let response = try #require(entry["response"])
        #expect(response["status"] == 200 && response["statusText"] == "OK" && response["redirectURL"] == "/y")
        #expect(response["content"] == ["size": 8, "mimeType": "application/json", "text": #"{"id":1}"#])
        #expect(response["cookies"] == [["name": "a", "value": "‹redacted›", "path": "/", "httpOnly": true]])
        #expect(response["headers"]?[1] == ["name": "Vary", "value": "x"])
        #expect(response["httpVersion"] == "" && response["bodySize"] == -1)
    }

    @Test("Bodies that are not text are written as base64, also in requests, and Latin-1 field values are marked")
    func binary() async throws {
        var headers: HTTPFields = ["Content-Type": "application/octet-stream"]
        headers.append(nameBytes: "X-Name".utf8, valueBytes: [0x4A, 0xE9])
        let har = try await Har.recorded(
            MockTransport(.data(Data([0xFF, 0, 1]), contentType: "image/png", headers: headers)),
            Har.request(method: .put, body: HTTPBody(Data([0xC0, 0x80]))))

        let entry = try Har.entry(of: har)
        #expect(entry["request"]?["postData"] == ["mimeType": "", "text": "wIA=", "_encoding": "base64"])
        #expect(entry["response"]?["content"] == ["size": 3, "mimeType": "application/octet-stream", "text": "/wAB", "encoding": "base64"])
        #expect(entry["response"]?["headers"]?[1] == ["name": "X-Name", "value": "Jé", "_charset": "ISO-8859-1"])
    }

    @Test("A decoded content coding is recorded and replayed", arguments: [true, false])
    func contentCoding(wasCoded: Bool) async throws {
        struct Coded: Transport {
            let wasCoded: Bool
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
                var response = HTTPResponse(status: .ok, headers: ["Content-Type": "text/plain"], body: HTTPBody("x"))
                response.metadata.wasContentCoded = wasCoded
                return response
            }
        }
        let har = try await Har.recorded(Coded(wasCoded: wasCoded), Har.request())
        #expect(try Har.entry(of: har)["response"]?["_wasContentCoded"] == (wasCoded ? true : nil))
        #expect(try await ReplayTransport(har: har).send(Har.request()).metadata.wasContentCoded == wasCoded)
    }

    @Test("A failed exchange has the status 0 and fails again in the same way")
    func failures() async throws {
        let errors: [HTTPError] =
            [
                .timeout, .cancelled, .draining, .networkError(NetworkFailure(.connectionRefused, "nobody")),
                .responseTooLarge(SizeLimitFailure(.head, limit: 10)),
                .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: [:], body: Data())),
            ] + NetworkFailure.Kind.allCases.map { .networkError(NetworkFailure($0)) }
            + HTTPError.Kind.allCases.compactMap { $0.make?("why") }
        for error in errors {
            let har = try await Har.recorded(MockTransport(.failure(error)), Har.request())
            let response = try #require(try Har.entry(of: har)["response"])
            #expect(response["status"] == 0 && response["_error"]?.stringValue?.isEmpty == false)
            let replay = try ReplayTransport(har: har)
            await #expect(throws: error) { try await replay.send(Har.request()) }
        }
    }

    @Test("A streamed response is passed on, and its entry is created at its end")
    func streams() async throws {
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(wrapping: MockTransport(.stream("one", "two")), to: folder.file())
        let response = try await recorder.send(Har.request(isStreamed: true))
        #expect(response.body.buffered == nil && recorder.count == 0)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("one"))
        #expect(recorder.count == 0)
        #expect(try await iterator.next() == Data("two"))
        #expect(try await iterator.next() == nil)
        #expect(recorder.count == 1)
        try await recorder.save()
        let content = try Har.entry(of: Data(contentsOf: folder.file()))["response"]?["content"]
        #expect(content?["text"] == "onetwo" && content?["_incomplete"] == nil)
    }

    @Test("A chunk is requested only when the reader needs it")
    func backpressure() async throws {
        let asked = Recorder<Int>()
        let endless = MockReply.stream {
            HTTPBody {
                asked.append(1)
                return Data("x")
            }
        }
        let folder = try TemporaryFolder()
        let response = try await RecordingTransport(wrapping: MockTransport(endless), to: folder.file()).send(
            Har.request(isStreamed: true))
        var iterator = response.body.makeAsyncIterator()
        for count in 1...5 {
            _ = try await iterator.next()
            #expect(asked.count == count)
        }
    }

    @Test("A stream whose reader stopped is marked; its replay returns the recorded part and then an error")
    func stopped() async throws {
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(wrapping: MockTransport(.stream("one", "two")), to: folder.file())
        do {
            let response = try await recorder.send(Har.request(isStreamed: true))
            for try await _ in response.body { break }
        }
        #expect(recorder.count == 1)
        try await recorder.save()
        let har = try Data(contentsOf: folder.file())
        #expect(try Har.entry(of: har)["response"]?["content"]?["_incomplete"] == true)
        #expect(try Har.entry(of: har)["response"]?["content"]?["comment"] == "the reader stopped here")

        let replayed = try await ReplayTransport(har: har).send(Har.request(isStreamed: true))
        let seen = Recorder<Data>()
        await #expect {
            for try await chunk in replayed.body { seen.append(chunk) }
        } throws: { "\($0)".contains("ends after 3 bytes") }
        #expect(seen.values == [Data("one")])
    }

    @Test("A truncated body is recorded with its start and its error")
    func broken() async throws {
        let reply = MockReply.text("abcdef").chunked(2).disconnecting(afterBodyBytes: 3)
        let har = try await Har.recorded(MockTransport(reply), Har.request(isStreamed: true))
        #expect(try Har.entry(of: har)["response"]?["content"]?["text"] == "abc")
        let replayed = try await ReplayTransport(har: har).send(Har.request(isStreamed: true))
        #expect(replayed.status == 200)
        await #expect(throws: HTTPError.networkError(NetworkFailure(.connectionLost))) { try await replayed.body.collect() }
    }

    @Test(
        "Bodies over the limit are left out and marked, and replaying one throws an error",
        arguments: [false, true])
    func limit(isStreamed: Bool) async throws {
        let options = RecordingOptions(maxBodyBytes: 4)
        let request = Har.request(method: .post, body: HTTPBody("12345"), isStreamed: isStreamed)
        let har = try await Har.recorded(MockTransport(.text("abcd"), .text("abcde")), request, request, options: options)

        let entries = [try Har.entry(of: har), try Har.entry(of: har, 1)]
        #expect(entries[0]["response"]?["content"]?["text"] == "abcd")
        #expect(entries[1]["response"]?["content"]?["text"] == "" && entries[1]["response"]?["content"]?["size"] == 5)
        #expect(entries[1]["response"]?["content"]?["comment"] == "left out: 5 bytes, more than the recording's limit of 4")
        #expect(entries[0]["request"]?["bodySize"] == 5 && entries[0]["request"]?["postData"]?["text"] == "")
        #expect(!har.text.contains("12345") && !har.text.contains("abcde"))

        let replay = try ReplayTransport(har: har)
        let shorter = Har.request(method: .post, body: HTTPBody("1234"), isStreamed: isStreamed)
        #expect(try await Har.refusal(replay, shorter).contains("body: expected 5 bytes, which are not in the recording, found 4 bytes"))
        #expect(try await replay.send(request).body.collect() == Data("abcd"))
        #expect(try await Har.refusal(replay, request).contains("has 5 bytes in its response, which are not in the recording"))
    }

    @Test("Request bodies of any kind are recorded and reach the transport")
    func requestBodies() async throws {
        let folder = try TemporaryFolder()
        try Data("of a file").write(to: folder.file("body"))
        let pieces = Recorder<Int>()
        let streamed = HTTPBody {
            pieces.append(1)
            return pieces.count == 1 ? Data("of a stream") : nil
        }
        let mock = MockTransport { .text("\($0.body?.buffered?.count ?? 0)") }
        let har = try await Har.recorded(
            mock, Har.request(method: .put, body: try HTTPBody(file: folder.file("body"))), Har.request(method: .put, body: streamed))
        #expect(try Har.entry(of: har)["request"]?["postData"]?["text"] == "of a file")
        #expect(try Har.entry(of: har, 1)["request"]?["postData"]?["text"] == "of a stream")
        #expect(mock.requests.map { $0.body?.buffered?.text } == ["of a file", "of a stream"])
    }

    @Test("A failing request stream is an encoding error, and is recorded as one")
    func failingUpload() async throws {
        struct Broken: Error {}
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(wrapping: MockTransport(.text("x")), to: folder.file())
        let request = Har.request(method: .put, body: HTTPBody { throw Broken() })
        await #expect {
            try await recorder.send(request)
        } throws: { if case .encodingFailed = $0 as? HTTPError { true } else { false } }
        try await recorder.save()
        #expect(try Har.entry(of: Data(contentsOf: folder.file()))["response"]?["_errorKind"] == "encodingFailed")
    }

    @Test("With a flush after each exchange, the file has what callers received; otherwise only after saving")
    func flush() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deep/down/test.har")
        let later = RecordingTransport(wrapping: MockTransport(.text("a")), to: file)
        _ = try await later.send(Har.request())
        #expect(!FileManager.default.fileExists(atPath: file.path))

        let options = RecordingOptions(savesEachExchange: true)
        let recorder = RecordingTransport(
            wrapping: MockTransport(.text("first"), .failure(.timeout), .stream("second", "end")), to: file, options: options)
        _ = try await recorder.send(Har.request())
        #expect(try ReplayTransport(contentsOf: file).count == 1)
        await #expect(throws: HTTPError.timeout) { try await recorder.send(Har.request()) }
        #expect(try ReplayTransport(contentsOf: file).count == 2)
        let response = try await recorder.send(Har.request(isStreamed: true))
        #expect(try ReplayTransport(contentsOf: file).count == 2)
        _ = try await response.body.collect()
        #expect(try ReplayTransport(contentsOf: file).count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["test.har"])
    }

    @Test("A file that can't be written fails saving, and with a flush after each exchange also the exchange")
    func unwritable() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("file"))
        let file = folder.file("file/test.har")
        let recorder = RecordingTransport(wrapping: MockTransport(.text("a")), to: file)
        _ = try await recorder.send(Har.request())
        await #expect { try await recorder.save() } throws: { if case HARError.unwritable = $0 { true } else { false } }
        let flushing = RecordingTransport(wrapping: MockTransport(.text("a")), to: file, options: .init(savesEachExchange: true))
        #expect(try await Har.refusal(flushing, Har.request()).contains("can't be written"))
    }

    @Test("Saving replaces the target of a link, but no device, pipe or folder")
    func links() async throws {
        let folder = try TemporaryFolder()
        try Data("old".utf8).write(to: folder.file("real.har"))
        try FileManager.default.createSymbolicLink(at: folder.file("link.har"), withDestinationURL: folder.file("real.har"))
        let recorder = RecordingTransport(wrapping: MockTransport { _ in .json("{}") }, to: folder.file("link.har"))
        _ = try await recorder.send(Har.request())
        try await recorder.save()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.har").path).hasSuffix("real.har"))
        #expect(try Data(contentsOf: folder.file("real.har")).text.contains("https://api.example/x"))

        #expect(mkfifo(folder.file("pipe.har").path, 0o600) == 0)
        let piped = RecordingTransport(wrapping: MockTransport { _ in .json("{}") }, to: folder.file("pipe.har"))
        await #expect(throws: HARError.unwritable("\(folder.file("pipe.har").path) is not a regular file")) { try await piped.save() }
    }

    @Test("Concurrent exchanges are recorded in the order in which they began")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { request in .text(request.url.path) }
        let recorder = RecordingTransport(wrapping: mock, to: folder.file(), options: .init(savesEachExchange: true))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { _ = try? await recorder.send(Har.request("https://api.example/\(number)")) } }
        }
        try await recorder.save()
        let replay = try ReplayTransport(contentsOf: folder.file(), matching: .methodAndURL)
        for number in (0..<50).reversed() {
            let response = try await replay.send(Har.request("https://api.example/\(number)"))
            #expect(response.body.buffered == Data("/\(number)"))
        }
        try replay.verify()
    }
}
