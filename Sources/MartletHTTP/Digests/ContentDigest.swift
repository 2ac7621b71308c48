public import MartletEssentials

/// A digest of a body: for signing requests, for the `Content-Digest` field (RFC 9530), and for checking downloads.
///
/// ```swift
/// struct Signing: Interceptor {
///     func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
///         var request = request
///         request.headers["Content-Digest"] = try await request.bodyDigest(.sha256).fieldValue
///         return try await next(request)
///     }
/// }
/// ```
public struct ContentDigest: Sendable, Hashable {
    /// The hash algorithm of a digest.
    @nonexhaustive public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// SHA-256, whose digests have 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512, whose digests have 64 bytes.
        case sha512 = "sha-512"

        fileprivate var byteCount: Int { self == .sha256 ? 32 : 64 }
    }

    /// The hash algorithm.
    public let algorithm: Algorithm
    /// The bytes of the digest; empty if it was created from malformed text or a wrong number of bytes.
    public let bytes: Data

    /// Computes the digest of data in memory.
    public init(_ algorithm: Algorithm, of data: Data) {
        switch algorithm {
        case .sha256: self.init(algorithm, SHA256.digest(of: data))
        case .sha512: self.init(algorithm, SHA512.digest(of: data))
        }
    }

    fileprivate init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = Data(bytes)
    }

    /// Creates a digest from the bytes of an existing one, without computing anything. A wrong number of bytes is treated like malformed
    /// text: see ``sha256(_:)``.
    public init(_ algorithm: Algorithm, bytes: Data) {
        self.algorithm = algorithm
        self.bytes = bytes.count == algorithm.byteCount ? bytes : Data()
    }

    /// Returns the SHA-256 digest that 64 hexadecimal digits represent, as in `.sha256("9f86d081…")`, without computing anything.
    ///
    /// Malformed text returns a digest without bytes. A download with such a digest fails before anything is sent.
    public static func sha256(_ hexadecimal: String) -> Self { Self(.sha256, bytes: Data(Hex.bytes(hexadecimal) ?? [])) }

    /// Returns the SHA-512 digest that 128 hexadecimal digits represent, without computing anything. See ``sha256(_:)``.
    public static func sha512(_ hexadecimal: String) -> Self { Self(.sha512, bytes: Data(Hex.bytes(hexadecimal) ?? [])) }

    /// The digest in hexadecimal, in lower case.
    public var hexadecimal: String { Hex.text(bytes) }

    /// The value of a `Content-Digest` field with this digest, such as `sha-256=:…:` (RFC 9530 §2).
    public var fieldValue: String { "\(algorithm.rawValue)=:\(bytes.base64EncodedString()):" }
}

extension HTTPRequest {
    /// Returns the digest of the request's body, reading it to its end, or that of zero bytes without a body.
    ///
    /// A file or another replayable body is read to its end and can still be sent.
    ///
    /// - Throws: `.bodyNotReplayable` for a stream that can be read only once, and errors of reading the body.
    public func bodyDigest(_ algorithm: ContentDigest.Algorithm) async throws(HTTPError) -> ContentDigest {
        guard let body else { return ContentDigest(algorithm, of: Data()) }
        if let data = body.buffered { return ContentDigest(algorithm, of: data) }
        guard body.isReplayable else {
            throw .bodyNotReplayable(
                Explanation("can't digest a stream that can be read only once", context: ErrorContext(request: self, stage: .interceptor)))
        }
        switch algorithm {
        case .sha256: return ContentDigest(algorithm, try await body.digest(SHA256()))
        case .sha512: return ContentDigest(algorithm, try await body.digest(SHA512()))
        }
    }
}

extension HTTPBody {
    fileprivate func digest<Word>(_ empty: SHA2<Word>) async throws(HTTPError) -> [UInt8] {
        var hash = empty, iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() { hash.update(chunk) }
        return hash.finish()
    }
}

/// The digests of a `Content-Digest` or `Repr-Digest` field (RFC 9530 §2, §3), by the algorithm's name.
package struct DigestField: Sendable {
    /// The digests by algorithm name in lower case. If a name occurs twice, the last one counts, as in RFC 8941 §3.2.
    package let digests: [String: Data]

    /// Reads the values of a field. Members that are not byte sequences are ignored.
    package init(_ values: [String]) {
        var digests: [String: Data] = [:]
        for member in values.flatMap({ $0.split(separator: ",") }) {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].trimmingWhitespace.lowercased(), value = parts[1].trimmingWhitespace
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":"),
                let digest = Data(base64Encoded: String(value[value.index(after: value.startIndex)..<end]))
            else { continue }
            digests[name] = digest
        }
        self.digests = digests
    }
}
