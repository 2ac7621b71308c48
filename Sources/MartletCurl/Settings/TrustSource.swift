internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// Where libcurl reads the certificates to trust.
enum TrustSource {
    /// A file, which libcurl reads at each handshake unless it has cached the same file.
    case file(String)
    case bytes(LastingBytes)
    case memory(MemoryFile)
    /// libcurl's built-in location.
    case builtIn

    /// Prepares the certificates that a configuration trusts.
    ///
    /// The system's certificates and additional ones are joined once into a file in memory: libcurl 7.87 and later caches the parsed
    /// certificates of a file, but parses bytes at each handshake, which takes 25 ms. Where such a file can't be opened, the bytes are used
    /// (libcurl 7.77 and later).
    ///
    /// Throws `.invalidRequest` if certificates can't be read, and `.engineUnavailable` if the system has none.
    ///
    /// - Parameter system: The path of the system's certificates.
    init(_ trust: TLSSettings.Trust, version: CurlVersion, system: String?) throws(HTTPError) {
        switch trust {
        case .file(let path): self = .file(path)
        case .certificates(let bytes): self = .bytes(LastingBytes(bytes))
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
            throw .engineUnavailable("the system's certificates can't be read: install the package ca-certificates")
        }
        let all = others + Data("\n".utf8) + mine
        if let file = MemoryFile(all) {
            self = .memory(file)
        } else {
            guard version >= .takesCertificateBytes else {
                throw .engineUnavailable(
                    Explanation(
                        "trusting additional certificates needs libcurl \(CurlVersion.takesCertificateBytes) or later on this system"))
            }
            self = .bytes(LastingBytes(all))
        }
    }
}

/// An unnamed file in memory that libraries can open by a path. It exists as long as this value.
final class MemoryFile: Sendable {
    private let descriptor: Int32

    /// Creates the file. Returns nil if the system has no such files, or cannot open them by a path.
    init?(_ bytes: Data) {
        descriptor = bytes.withUnsafeBytes { ccurl_memory_file($0.baseAddress, $0.count) }
        guard descriptor >= 0, FileManager.default.isReadableFile(atPath: path) else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var path: String { "/proc/self/fd/\(descriptor)" }
}

/// Bytes whose address does not change, so that libcurl needs no copy of them.
final class LastingBytes: @unchecked Sendable {
    // Proof: the bytes are never changed, and are freed with this object.
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ data: Data) {
        bytes = .allocate(byteCount: max(1, data.count), alignment: 1)
        count = data.count
        bytes.copyBytes(from: data)
    }

    deinit { bytes.deallocate() }

    var start: UnsafeRawPointer? { UnsafeRawPointer(bytes.baseAddress) }
    let count: Int
}

extension Data {
    /// Whether the bytes contain a PEM certificate (RFC 7468 §5) or an OpenSSL trusted certificate.
    fileprivate var holdsCertificate: Bool {
        ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"].contains { firstRange(of: Data($0.utf8)) != nil }
    }
}

extension Explanation {
    /// The error for certificates to trust that are missing, unreadable or not PEM.
    static func unreadableCertificates(_ what: String, context: ErrorContext = .init()) -> Explanation {
        Explanation("the certificates to trust can't be read: \(what) is missing, unreadable, or not in PEM format", context: context)
    }
}

/// Finds the file with the certificates that the system trusts.
enum CertificateBundle {
    /// The usual paths, most common first.
    static let paths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL, Amazon Linux
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS
        "/etc/ssl/cert.pem",  // Alpine, macOS
    ]

    /// The path of the system's file; nil if none of the usual paths is readable.
    static let system = first(of: paths)

    static func first(of paths: [String]) -> String? { paths.first { FileManager.default.isReadableFile(atPath: $0) } }
}
