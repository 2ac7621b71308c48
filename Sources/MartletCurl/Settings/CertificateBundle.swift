internal import MartletEssentials

/// Where systems keep the certificates that they trust.
enum CertificateBundle {
    /// The files, most common first.
    static let paths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL, Amazon Linux
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS
        "/etc/ssl/cert.pem",  // Alpine, macOS
    ]

    /// The system's own; nil when it has none where it is looked for.
    static let system = first(of: paths)

    static func first(of paths: [String]) -> String? { paths.first { FileManager.default.isReadableFile(atPath: $0) } }
}
