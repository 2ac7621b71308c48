internal import MartletEssentials

/// A proof that whoever brings an authorization code is who asked for it (RFC 7636).
public struct PKCE: Sendable, Hashable {
    /// The secret that is told only when the code is exchanged: 43 to 128 unreserved characters (§4.1).
    public let verifier: String

    /// A new secret of 32 random bytes. Default: the system's chance, which is fit for secrets; another is for tests.
    public init(random: any RandomSource = .system) { verifier = PKCE.text(random) }

    /// A secret that was kept while the authorization page was shown; nil when it is none.
    public init?(verifier: String) {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentEncoding.isUnreserved) else { return nil }
        self.verifier = verifier
    }

    /// What is told beforehand: the secret's SHA-256 digest, `code_challenge` with the method `S256` (§4.2).
    public var challenge: String { PKCE.base64URL(SHA256.digest(of: verifier.utf8)) }

    /// 32 random bytes as 43 characters.
    static func text(_ random: any RandomSource) -> String {
        base64URL((0..<4).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } })
    }

    /// Base64 in the alphabet for URLs, without padding (RFC 4648 §5, RFC 7636 Appendix A).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension PKCE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The challenge; the verifier is a secret.
    public var description: String { "PKCE, S256 \(challenge)" }
}
