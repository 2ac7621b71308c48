internal import CMartletCurl
internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where libcurl reads the certificates to trust.
enum TrustSource {
    /// A file that libcurl reads at each handshake, unless it has read the same one before.
    case file(String)
    case bytes(Data)
    case memory(MemoryFile)
    /// Where libcurl looks by itself.
    case builtIn

    /// Prepares what a configuration trusts.
    ///
    /// The system's certificates and others are joined once, into a file in memory: libcurl 7.87 and later keeps the parsed certificates of
    /// a file, while it parses bytes at each handshake, for 25 ms. Where such a file can't be opened the bytes are used, from 7.77.
    ///
    /// Throws `.invalidRequest` for certificates that can't be read, `.engineUnavailable` when the system has none.
    ///
    /// - Parameter system: the path of the system's certificates.
    init(_ trust: TLSSettings.Trust, version: CurlVersion, system: String?) throws(HTTPError) {
        switch trust {
        case .file(let path): self = .file(path)
        case .certificates(let bytes): self = .bytes(bytes)
        case .systemAndFile(let path):
            guard let mine = try? Data(contentsOf: URL(fileURLWithPath: path)), mine.holdsCertificate else {
                throw .invalidRequest(.unreadableCertificates("the file \(Redaction.line(path))"))
            }
            try self.init(joining: mine, version, system)
        case .systemAndCertificates(let mine):
            guard mine.holdsCertificate else { throw .invalidRequest(.unreadableCertificates("the bytes")) }
            try self.init(joining: mine, version, system)
        default: self = system.map { .file($0) } ?? .builtIn
        }
    }

    private init(joining mine: Data, _ version: CurlVersion, _ system: String?) throws(HTTPError) {
        guard let system, let others = try? Data(contentsOf: URL(fileURLWithPath: system)) else {
            throw .engineUnavailable("the system's certificates can't be read: install its package of them (ca-certificates)")
        }
        let all = others + Data("\n".utf8) + mine
        if let file = MemoryFile(all) {
            self = .memory(file)
        } else {
            guard version >= .takesCertificateBytes else {
                throw .engineUnavailable(
                    Explanation("trusting the system's certificates and others needs libcurl \(CurlVersion.takesCertificateBytes) here"))
            }
            self = .bytes(all)
        }
    }
}

/// A file without a name that exists while this value does, and that libraries open by a path.
final class MemoryFile: Sendable {
    private let descriptor: Int32

    /// Nil where the system has no such files, or does not let them be opened by a path.
    init?(_ bytes: Data) {
        descriptor = bytes.withUnsafeBytes { ccurl_memory_file($0.baseAddress, $0.count) }
        guard descriptor >= 0, FileManager.default.isReadableFile(atPath: path) else { return nil }
    }

    deinit { if descriptor >= 0 { ccurl_memory_file_close(descriptor) } }

    var path: String { "/proc/self/fd/\(descriptor)" }
}

extension Data {
    /// Whether there is a certificate in PEM (RFC 7468 §5), or one of OpenSSL's with its trust.
    fileprivate var holdsCertificate: Bool {
        ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"].contains { firstRange(of: Data($0.utf8)) != nil }
    }
}

extension Explanation {
    /// Certificates to trust that are missing, that may not be read, or that are not in PEM.
    static func unreadableCertificates(_ what: String, context: ErrorContext = .init()) -> Explanation {
        Explanation("the certificates to trust can't be read: \(what) is missing, not readable, or not in PEM", context: context)
    }
}
