public import MartletEssentials

/// A digest of a body, for signing requests and for the `Content-Digest` field (RFC 9530).
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
    /// A digest algorithm.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// SHA-256, with 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512, with 64 bytes.
        case sha512 = "sha-512"
    }

    /// The algorithm.
    public let algorithm: Algorithm
    /// The bytes of the digest.
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

    /// The digest in hexadecimal, in lower case.
    public var hexadecimal: String { Hex.text(bytes) }

    /// The value of a `Content-Digest` field: `sha-256=:…:` (RFC 9530 §2).
    public var fieldValue: String { "\(algorithm.rawValue)=:\(bytes.base64EncodedString()):" }
}

extension HTTPRequest {
    /// Returns the digest of the body. Without a body, it is the digest of zero bytes.
    ///
    /// A file or another replayable body is read to its end and can still be sent.
    ///
    /// - Throws: `.bodyNotReplayable` for a stream that can be read only once, and what reading the body throws.
    public func bodyDigest(_ algorithm: ContentDigest.Algorithm) async throws(HTTPError) -> ContentDigest {
        guard let body else { return ContentDigest(algorithm, of: Data()) }
        if let data = body.buffered { return ContentDigest(algorithm, of: data) }
        guard body.isReplayable else {
            throw .bodyNotReplayable(
                Explanation("the digest of a stream that can be read only once", context: ErrorContext(request: self, stage: .interceptor)))
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
