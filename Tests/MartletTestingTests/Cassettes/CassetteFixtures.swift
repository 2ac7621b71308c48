import Foundation
import Martlet
import MartletTesting
import Testing

/// A temporary folder of a test, removed with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cassettes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "test.har") -> URL { url.appendingPathComponent(name) }
}

/// Helpers for the tests of cassettes.
enum Har {
    static func request(
        _ url: String = "https://api.example/x", method: HTTPMethod = .get, headers: HTTPFields = [:], body: HTTPBody? = nil,
        isStreamed: Bool = false
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: URL(string: url)!, headers: headers, body: body)
        request.context.streamsBody = isStreamed
        return request
    }

    /// Returns a HAR with entries, each given as JSON.
    static func log(_ entries: String..., creator: String = "somebody") -> Data {
        Data(
            #"{"log":{"version":"1.2","creator":{"name":"\#(creator)","version":"1"},"entries":[\#(entries.joined(separator: ","))]}}"#.utf8
        )
    }

    /// Returns an entry whose request and response have the given members in addition to the required ones.
    static func entry(
        _ method: String = "GET", _ url: String = "https://api.example/x", request: String = "", status: String = "200",
        response: String = "",
        more: String = ""
    ) -> String {
        #"{"request":{"method":"\#(method)","url":"\#(url)"\#(request.after(","))},"#
            + #""response":{"status":\#(status)\#(response.after(","))}\#(more.after(","))}"#
    }

    /// Records the responses of `transport` to the requests, and returns the bytes of the file.
    static func recorded(
        _ transport: any Transport, _ requests: HTTPRequest..., options: RecordingOptions = .init(), time: any TimeSource = .system
    ) async throws -> Data {
        let folder = try TemporaryFolder()
        let recorder = RecordingTransport(wrapping: transport, to: folder.file(), options: options, time: time)
        for request in requests {
            do { _ = try await recorder.send(request).body.collect() } catch {}
        }
        try await recorder.save()
        return try Data(contentsOf: folder.file())
    }

    /// Returns the first entry of a HAR.
    static func entry(of har: Data, _ index: Int = 0) throws -> JSONValue {
        try #require(JSONValue(parsing: har)["log"]?["entries"]?[index])
    }

    /// Returns the message of the `.invalidRequest` with which a request fails.
    static func refusal(_ transport: any Transport, _ request: HTTPRequest) async throws -> String {
        let error = await #expect(throws: HTTPError.self) { _ = try await transport.send(request) }
        guard case .invalidRequest(let words) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return ""
        }
        return words.text
    }
}

extension String {
    fileprivate func after(_ separator: String) -> String { isEmpty ? "" : separator + self }
}

extension Data {
    init(_ text: String) { self.init(text.utf8) }
    var text: String { String(decoding: self, as: UTF8.self) }
}
