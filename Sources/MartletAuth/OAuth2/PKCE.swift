internal import MartletEssentials

/// A proof key, which proves that an authorization code is exchanged by the client that requested it (RFC 7636).
public struct PKCE: Sendable, Hashable {
    /// The code verifier: a secret of 43 to 128 unreserved characters, sent only when the code is exchanged (§4.1).
    public let verifier: String

    /// Creates a proof key with a verifier of 32 random bytes. Default: the system's random numbers, which are secure. Pass another source
    /// only in tests.
    public init(random: any RandomSource = .system) { verifier = PKCE.text(random) }

    /// Creates a proof key from a stored verifier, or returns nil if the verifier is malformed.
    public init?(verifier: String) {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentEncoding.isUnreserved) else { return nil }
        self.verifier = verifier
    }

    /// The code challenge, sent with the authorization request: the SHA-256 digest of the verifier, for the method `S256` (§4.2).
    public var challenge: String { PKCE.base64URL(SHA256.digest(of: verifier.utf8)) }

    /// Returns 32 random bytes as 43 characters.
    static func text(_ random: any RandomSource) -> String {
        base64URL((0..<4).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } })
    }

    /// Returns bytes as Base64 in the URL alphabet, without padding (RFC 4648 §5, RFC 7636 Appendix A).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension PKCE: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The challenge, without the verifier, which is a secret.
    public var description: String { "PKCE, S256 \(challenge)" }
}
