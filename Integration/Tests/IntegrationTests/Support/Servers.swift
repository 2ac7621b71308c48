import Foundation
import Martlet
import MartletCurl
import Testing

/// The ports of the servers that scripts/integration has started, and the certificates that it has created.
enum Servers {
    static func port(_ name: String) throws -> Int {
        try #require(
            ProcessInfo.processInfo.environment["MARTLET_\(name)_PORT"].flatMap(Int.init), "run these tests by scripts/integration")
    }

    static func url(_ name: String, _ path: String = "/", scheme: String = "https", host: String = "127.0.0.1") throws -> URL {
        try #require(URL(string: "\(scheme)://\(host):\(try port(name))\(path)"))
    }

    static func path(_ file: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment["MARTLET_CERTIFICATES"]) + "/" + file
    }

    static func data(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(file))) }

    static func text(_ file: String) throws -> String {
        String(decoding: try data(file), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns a transport that trusts the tests' certificate authority.
    static func transport(_ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(try path("ca.pem"))
        try change(&configuration)
        return CurlTransport(configuration)
    }
}

extension Transport {
    /// Sends a GET and returns the body as text.
    func text(_ url: URL) async throws -> String {
        String(decoding: try await send(HTTPRequest(url: url)).body.collect(), as: UTF8.self)
    }

    /// Sends a GET and returns its error, or nil.
    func failure(_ url: URL) async -> HTTPError? {
        do {
            _ = try await send(HTTPRequest(url: url)).body.collect()
            return nil
        } catch { return error }
    }

    func isRefusedForItsCertificate(_ url: URL) async -> Bool {
        if case .invalidSSLCertificate = await failure(url) { true } else { false }
    }
}
