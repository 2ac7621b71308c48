import Foundation
import Martlet
import MartletTesting
import Testing

/// A folder of a test's own that goes with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cassettes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "test.har") -> URL { url.appendingPathComponent(name) }
}

/// What the tests of cassettes share.
enum Har {
    static func request(
        _ url: String = "https://api.example/x", method: HTTPMethod = .get, headers: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: BodyDelivery = .buffered
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: URL(string: url)!, headers: headers, body: body)
        request.context.delivery = delivery
        return request
    }

    /// A HAR with entries, each given as JSON.
    static func log(_ entries: String..., creator: String = "somebody") -> Data {
        Data(
            #"{"log":{"version":"1.2","creator":{"name":"\#(creator)","version":"1"},"entries":[\#(entries.joined(separator: ","))]}}"#.utf8
        )
    }

    /// An entry whose request and response have the given members besides those that each must have.
    static func entry(
        _ method: String = "GET", _ url: String = "https://api.example/x", request: String = "", status: String = "200",
        response: String = "",
        more: String = ""
    ) -> String {
        #"{"request":{"method":"\#(method)","url":"\#(url)"\#(request.after(","))},"#
            + #""response":{"status":\#(status)\#(response.after(","))}\#(more.after(","))}"#
    }

    /// Records what `transport` gives for the requests, and gives the file's bytes.
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

    /// The first entry of a HAR.
    static func entry(of har: Data, _ index: Int = 0) throws -> JSONValue {
        try #require(JSONValue(parsing: har)["log"]?["entries"]?[index])
    }

    /// The words of an `.invalidRequest` that a request fails with.
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
