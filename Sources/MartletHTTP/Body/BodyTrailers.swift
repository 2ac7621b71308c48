internal import MartletEssentials

/// The trailer fields of a body, created when its last byte has been sent. Boxed, because few bodies have them.
final class BodyTrailers: Sendable {
    let make: @Sendable () async throws -> HTTPFields

    init(_ make: @escaping @Sendable () async throws -> HTTPFields) { self.make = make }
}

extension HTTPBody {
    /// Returns the body with trailer fields, which are sent after its last byte (RFC 9110 §6.5).
    ///
    /// ```swift
    /// let body = HTTPBody("the content").trailers { ["X-Checksum": "1c7f"] }
    /// ```
    ///
    /// The body is then sent in chunks (RFC 9112 §7.1), whatever its length, and over HTTP/1.1: a server that supports only HTTP/2 refuses
    /// the connection before anything is sent. Name the fields in the request's `Trailer` field if the server must know them beforehand
    /// (RFC 9110 §6.6.2). `CurlTransport` sends trailers. A transport that can't throws `.invalidRequest` before anything is sent.
    ///
    /// - Parameter make: Creates the fields each time the body has been sent completely. If it throws, the connection is closed, and the
    ///   call throws `.encodingFailed`, or its `HTTPError` unchanged. Fields that a trailer section must not have, such as
    ///   `Content-Length` or `Authorization` (RFC 9110 §6.5.1), invalid ones, and more than 60,000 bytes end the call with
    ///   `.invalidRequest` in the same way.
    public func trailers(_ make: @escaping @Sendable () async throws -> HTTPFields) -> HTTPBody {
        var body = self
        body.trailers = BodyTrailers(make)
        return body
    }

    /// Whether trailer fields follow the body. A transport that can't send them refuses the request with `.invalidRequest`.
    public var hasTrailers: Bool { trailers != nil }

    /// Creates the trailer fields. A transport calls it once the last byte has been read.
    ///
    /// - Throws: `.invalidRequest` if a field can't be sent in a trailer section, and errors of the closure, as for the bytes.
    public func makeTrailers() async throws(HTTPError) -> HTTPFields {
        guard let trailers else { return [:] }
        let fields: HTTPFields
        do { fields = try await trailers.make() } catch { throw HTTPError(wrapping: error, stage: .body).ofSentStream }
        if let objection = fields.objectionAsTrailers { throw .invalidRequest(Explanation(objection)) }
        return fields
    }

    /// Returns the body with the trailers of another one, whose bytes it passes on.
    package func withTrailers(of body: HTTPBody) -> HTTPBody {
        var copy = self
        copy.trailers = body.trailers
        return copy
    }

    /// Returns the body for an origin that another origin has chosen: of its trailers, only those are sent that may be sent there.
    ///
    /// - Parameter names: The names that the app declares as harmless.
    package func withPortableTrailers(naming names: Set<HTTPFieldName>) -> HTTPBody {
        guard let trailers else { return self }
        return self.trailers {
            var fields = try await trailers.make()
            fields.removeAllButPortable(naming: names)
            return fields
        }
    }
}

extension HTTPFields {
    /// Why the fields can't follow a body; nil if they can.
    fileprivate var objectionAsTrailers: String? {
        if let line = firstInvalidLine {
            return "the trailer field \(line.name.isValid ? line.name.rawName : "whose name is not a token") can't be sent"
        }
        if let name = HTTPFields.neverTrailers.first(where: contains) { return "\(name) can't be a trailer field" }
        var size = 0
        forEachLineOfBytes { size += $0.count + $1.count + 4 }
        return size > HTTPFields.maxTrailerBytes ? "the trailer fields have more than \(HTTPFields.maxTrailerBytes) bytes" : nil
    }

    /// libcurl refuses 64 KiB and more.
    private static let maxTrailerBytes = 60_000

    /// Fields for framing, routing, authentication, controls and the content, which a recipient needs before the body (RFC 9110 §6.5.1).
    private static let neverTrailers: [HTTPFieldName] = [
        .contentLength, .transferEncoding, .host, .connection, .te, "Trailer", "Upgrade", .expect, .range, .authorization,
        .proxyAuthorization, .cookie, .cacheControl, .pragma, .contentType, .contentEncoding, .contentRange, .ifMatch, .ifNoneMatch,
        .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]
}
