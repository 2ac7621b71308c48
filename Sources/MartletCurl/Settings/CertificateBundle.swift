internal import MartletEssentials

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
