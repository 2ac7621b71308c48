import Foundation
import Martlet
import MartletCurl
import Testing

/// Where scripts/integration has started the servers, and the certificates it has made.
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

    /// A transport that trusts the tests' own authority.
    static func transport(_ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .file(try path("ca.pem"))
        try change(&configuration)
        return CurlTransport(configuration)
    }
}

extension Transport {
    /// Sends, reads the body, and gives the text of it.
    func text(_ url: URL) async throws -> String {
        String(decoding: try await send(HTTPRequest(url: url)).body.collect(), as: UTF8.self)
    }

    /// What went wrong; nil if nothing did.
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
