public import MartletEssentials
internal import MartletSystem

/// The error of a call: clients and transports throw only this type.
///
/// Every error carries the request, the stage and the underlying error (``request``, ``stage``, ``underlying``). ``statusCode(_:)`` and
/// ``decodingFailed(_:)`` also have the response (``response``, ``status``, ``problem``, `decodeBody(as:using:)`). Descriptions redact
/// secrets in URLs, header fields and bodies. `==` ignores the context, so `error == .timeout` is true for any timeout.
///
/// ```swift
/// do { user = try await client.send(GetUser(id: 1)) } catch {
///     switch error {
///     case .statusCode(let response) where response.status == .notFound: show("User not found")
///     case .timeout, .networkError: offerRetry()
///     default: show(error.errorDescription)  // nil after a cancellation
///     }
/// }
/// ```
///
/// Later versions may add cases: switches outside this package need a `default`.
@nonexhaustive public indirect enum HTTPError: Error, Sendable {
    /// A URL, base URL or path is invalid.
    case invalidURL(Explanation)
    /// The request can't be sent: it or a setting that applies to it is invalid, or the file of its body is missing or unreadable.
    case invalidRequest(Explanation)
    /// A query, form or body could not be encoded.
    case encodingFailed(Explanation)
    /// The connection failed, or was lost before the response was complete.
    case networkError(NetworkFailure)
    /// No response was received because the server's certificate was rejected or the TLS handshake failed.
    case invalidSSLCertificate(Explanation)
    /// A time limit expired: for connecting, for the response, between bytes, or for the whole call.
    case timeout(ErrorContext)
    /// The task was cancelled, or the call was ended by `cancelAll()` or at the time limit of `drain(within:)`.
    case cancelled(ErrorContext)
    /// The client or its transport is draining and rejects new calls (`EndpointClient.drain(within:)`), so nothing was sent.
    case draining(ErrorContext)
    /// The response is not valid HTTP, or its body cannot be decompressed. A response that a lost connection truncates is `.networkError`.
    case invalidResponse(Explanation)
    /// The response has no body although a value was expected.
    case noData(Explanation)
    /// The call does not accept the response's status, such as 404. The response includes its body, or for a stream the start of it.
    case statusCode(HTTPResponse<Data>)
    /// The body of the response could not be decoded as the requested type, or does not have the required content type.
    case decodingFailed(DecodingFailure)
    /// The response exceeded a size limit.
    case responseTooLarge(SizeLimitFailure)
    /// A file could not be created, written or moved to its destination.
    case fileFailed(FileFailure)
    /// A digest or checksum does not match the received bytes.
    case integrityFailed(Explanation)
    /// A redirect is not allowed, or there were too many.
    case redirectFailed(Explanation)
    /// The body must be sent or read again, but it is a stream that can be read only once.
    case bodyNotReplayable(Explanation)
    /// The next page can't be requested: it was requested before, is not allowed, has no cursor, or exceeds the maximum number of pages.
    case pagingFailed(PagingFailure)
    /// The request's host or address is not allowed by an ``AddressPolicy``, so nothing was sent.
    case addressRefused(Explanation)
    /// No credential could be obtained or renewed for the request; a rejection by the server itself is `.statusCode` with 401.
    case authenticationFailed(Explanation)
    /// A circuit breaker regards the server as down, so nothing was sent. ``retryAfter`` is the time until it lets the next probe pass.
    case circuitOpen(Explanation)
    /// A rate or concurrency limit of this client rejected the request, so nothing was sent. ``retryAfter`` is the time until it has room.
    case limitExceeded(Explanation)
    /// The transport cannot send the request here: a system library is missing or too old, or a setting is not supported.
    case engineUnavailable(Explanation)
    /// A custom interceptor threw an error other than `HTTPError`, which is ``underlying``. The explanation is the interceptor's type.
    case interceptorFailed(Explanation)
}

// MARK: - Making and comparing

/// Errors without an explanation and a context, for mocks and for comparing. Each equals any error of its case, or of its kind of network
/// failure. A case whose values count has none: compare those values, as in `error.status == .notFound`.
extension HTTPError {
    /// An invalid URL, which equals any ``invalidURL(_:)``.
    public static var invalidURL: HTTPError { .invalidURL("") }
    /// An invalid request, which equals any ``invalidRequest(_:)``.
    public static var invalidRequest: HTTPError { .invalidRequest("") }
    /// A failed encoding, which equals any ``encodingFailed(_:)``.
    public static var encodingFailed: HTTPError { .encodingFailed("") }
    /// A refused address, which equals any ``addressRefused(_:)``.
    public static var addressRefused: HTTPError { .addressRefused("") }
    /// A body that can't be sent again, which equals any ``bodyNotReplayable(_:)``.
    public static var bodyNotReplayable: HTTPError { .bodyNotReplayable("") }
    /// A rejection by a circuit breaker, which equals any ``circuitOpen(_:)``.
    public static var circuitOpen: HTTPError { .circuitOpen("") }
    /// A rejection by a rate or concurrency limit, which equals any ``limitExceeded(_:)``.
    public static var limitExceeded: HTTPError { .limitExceeded("") }
    /// A transport that can't send the request, which equals any ``engineUnavailable(_:)``.
    public static var engineUnavailable: HTTPError { .engineUnavailable("") }
    /// A failed interceptor, which equals any ``interceptorFailed(_:)``.
    public static var interceptorFailed: HTTPError { .interceptorFailed("") }

    /// A device that is offline, which equals any ``networkError(_:)`` of this kind.
    public static var offline: HTTPError { .networkError(NetworkFailure(.offline)) }
    /// A host name that can't be resolved, which equals any ``networkError(_:)`` of this kind.
    public static var hostNotFound: HTTPError { .networkError(NetworkFailure(.hostNotFound)) }
    /// A refused connection, which equals any ``networkError(_:)`` of this kind.
    public static var connectionRefused: HTTPError { .networkError(NetworkFailure(.connectionRefused)) }
    /// A host that can't be reached, which equals any ``networkError(_:)`` of this kind.
    public static var unreachable: HTTPError { .networkError(NetworkFailure(.unreachable)) }
    /// A lost connection, which equals any ``networkError(_:)`` of this kind.
    public static var connectionLost: HTTPError { .networkError(NetworkFailure(.connectionLost)) }
    /// A proxy that was not found or refused to connect, which equals any ``networkError(_:)`` of this kind.
    public static var proxyFailed: HTTPError { .networkError(NetworkFailure(.proxyFailed)) }
    /// A rejected certificate or a failed TLS handshake, which equals any ``invalidSSLCertificate(_:)``.
    public static var invalidSSLCertificate: HTTPError { .invalidSSLCertificate("") }
    /// A timeout, which equals any ``timeout(_:)``.
    public static var timeout: HTTPError { .timeout(ErrorContext()) }

    /// A response that is not valid HTTP, which equals any ``invalidResponse(_:)``.
    public static var invalidResponse: HTTPError { .invalidResponse("") }
    /// A missing body, which equals any ``noData(_:)``.
    public static var noData: HTTPError { .noData("") }
    /// A digest that does not match, which equals any ``integrityFailed(_:)``.
    public static var integrityFailed: HTTPError { .integrityFailed("") }
    /// A refused redirect, which equals any ``redirectFailed(_:)``.
    public static var redirectFailed: HTTPError { .redirectFailed("") }
    /// A credential that could not be obtained, which equals any ``authenticationFailed(_:)``.
    public static var authenticationFailed: HTTPError { .authenticationFailed("") }

    /// A cancellation, which equals any ``cancelled(_:)``.
    public static var cancelled: HTTPError { .cancelled(ErrorContext()) }
    /// A new call while draining, which equals any ``draining(_:)``.
    public static var draining: HTTPError { .draining(ErrorContext()) }
}

extension HTTPError: Equatable {
    /// Returns whether both are the same case with the same response, kind or limit, whatever their explanations and contexts (request,
    /// stage, attempts, underlying error).
    public static func == (left: Self, right: Self) -> Bool {
        let left = left.parts, right = right.parts
        return left.kind == right.kind && left.payload.isSame(asAny: right.payload)
    }
}

extension HTTPError {
    /// The circumstances of the error: the request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext {
        get { parts.payload.context }
        set { self = parts.withContext(newValue) }
    }

    /// The request that failed, as it was last sent or was about to be sent, or nil if none was created.
    public var request: HTTPRequest? { context.request }

    /// The stage at which the call failed, or nil if it is not known.
    public var stage: ErrorContext.Stage? { context.stage }

    /// The number of times the call's requests were passed to the transport, counting redirects and retries; 0 if nothing was sent.
    public var attempts: Int { context.attempts }

    /// The error that caused this one, or nil if there was none.
    public var underlying: (any Error)? { context.underlying }

    /// The response of a `.statusCode` or `.decodingFailed` error, or nil for every other error, even if a response was received. Its body
    /// is the start of the received one for a stream, and what ``DecodingFailure/response`` describes for a decoding failure.
    public var response: HTTPResponse<Data>? {
        switch self {
        case .statusCode(let response): response
        case .decodingFailed(let failure): failure.response
        default: nil
        }
    }

    /// The response's status for a `.statusCode` or `.decodingFailed` error, and for a `.noData` error that the decoding of a response
    /// threw. Nil for every other error.
    public var status: HTTPStatus? { response?.status ?? context.status }

    /// The problem details (RFC 9457) in the body of ``response``, or nil if it is not a JSON object with at least one of their members.
    public var problem: ProblemDetails? { response.flatMap { ProblemDetails($0.body) } }

    /// The time from the error until a new call may succeed, or nil if it is not known.
    ///
    /// For `.circuitOpen`, it is the time until the next probe, and for `.limitExceeded` the time until the limit has room. For
    /// `.statusCode` and `.decodingFailed`, it is the server's `Retry-After`, with a date compared with the response's `Date` or the
    /// client's clock.
    public var retryAfter: Duration? {
        if let known = context.retryAfter { return known }
        guard let response else { return nil }
        let now = response.headers[.date].flatMap { HTTPDate($0)?.date }
        return response.headers.retryAfter(now: now ?? (response.metadata.request?.context.time ?? SystemTime()).now)
    }

    /// Returns the error with missing parts of its context filled in, if the request is known.
    package func completed(ifKnown request: HTTPRequest?, stage: ErrorContext.Stage) -> HTTPError {
        request.map { completed(request: $0, stage: stage) } ?? self
    }

    /// Returns the error with missing parts of its context filled in. Outer layers, which know more, call it.
    package func completed(request: HTTPRequest, stage: ErrorContext.Stage, attempts: Int? = nil) -> HTTPError {
        var context = context
        guard context.request == nil || context.stage == nil || context.attempts == 0 else { return self }
        if context.request == nil { context.request = request }
        context.stage = context.stage ?? stage
        if context.attempts == 0 { context.attempts = attempts ?? request.context.attempts }
        return parts.withContext(context)
    }
}

extension HTTPError {
    /// An explanation of a failure for developers, with its context. Errors that differ only in their explanations are equal.
    public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The explanation, without secrets.
        public var text: String { makeText() }
        /// The request, the stage, the number of attempts and the underlying error.
        public var context: ErrorContext

        /// A closure, which shows nothing of what it captures.
        private let makeText: @Sendable () -> String

        /// Creates an explanation from a text that contains no secrets.
        public init(_ text: String, context: ErrorContext = .init()) { self.init(lazily: text, context: context) }

        /// Creates an explanation of a failure that another error has caused: its text is the error's description, which must contain no
        /// secrets, and the context keeps the error.
        public init(causedBy error: any Error) { self.init(lazily: "\(error)", context: ErrorContext(underlying: error)) }

        /// Creates an explanation whose text is built each time it is read. It may quote values of a server, with their secrets masked.
        package init(lazily text: @autoclosure @escaping @Sendable () -> String, context: ErrorContext = .init()) {
            makeText = text
            self.context = context
        }

        /// Creates an explanation without a context.
        public init(stringLiteral value: String) { self.init(value) }

        /// The explanation, without secrets.
        public var description: String { text }
    }
}

extension HTTPError.Explanation: CustomDebugStringConvertible, CustomReflectable, RedactedReflection {}

package typealias Explanation = HTTPError.Explanation

extension Explanation: ErrorPayload {
    package func isSame(as other: Explanation) -> Bool { true }
}

/// An error of another layer that may have been caused by an `HTTPError`, such as the error of a token store that uses HTTP.
package protocol HTTPErrorCausedError: Error {
    /// The `HTTPError` that caused it, or nil.
    var httpCause: HTTPError? { get }
}

extension HTTPError {
    /// Returns the error itself if it is an `HTTPError`, the `HTTPError` that caused it, or nil.
    package static func cause(of error: any Error) -> HTTPError? {
        error as? HTTPError ?? (error as? any HTTPErrorCausedError)?.httpCause
    }

    /// Converts any error: to the `HTTPError` that caused it, a cancellation, a URL loading error by its code, or a network error.
    package init(wrapping error: any Error, stage: ErrorContext.Stage) {
        let context = ErrorContext(stage: stage, underlying: error)
        self =
            HTTPError.cause(of: error) ?? (error is CancellationError ? .cancelled(context) : nil)
            ?? HTTPError(urlError: error, context: context)
            ?? .networkError(NetworkFailure(.other, CodingPath.explain(error), context: context))
    }

    /// Classifies an error of the URL loading system. Nil for any other error.
    ///
    /// Compares domain and code, so that programs on Linux need not link FoundationNetworking.
    package init?(urlError error: any Error, context: ErrorContext) {
        guard error._domain == "NSURLErrorDomain" else { return nil }
        self.init(urlErrorCode: error._code, "URL loading error \(error._code)") { _ in context }
    }

    /// Classifies a code of `NSURLErrorDomain`.
    ///
    /// - Parameters:
    ///   - text: The explanation.
    ///   - context: Creates the context. Its argument is the stage at which such an error occurs, or nil if it may occur at any stage.
    package init(urlErrorCode code: Int, _ text: String, context: (ErrorContext.Stage?) -> ErrorContext) {
        func network(_ kind: NetworkFailure.Kind, _ stage: ErrorContext.Stage?) -> HTTPError {
            .networkError(NetworkFailure(kind, text, context: context(stage)))
        }
        func explanation(_ stage: ErrorContext.Stage? = nil) -> Explanation { Explanation(text, context: context(stage)) }
        switch code {
        case -999: self = .cancelled(context(nil))
        case -1000, -1002: self = .invalidURL(explanation(.request))
        case -1001: self = .timeout(context(nil))
        case -1003, -1006: self = network(.failedLookup(), .connect)
        case -1004: self = network(.connectionRefused, .connect)
        case -1005: self = network(.connectionLost, nil)
        case -1009, -1018, -1019, -1020: self = network(.offline, .connect)
        case -1007, -1010: self = .redirectFailed(explanation())
        case -1011, -1015, -1016, -1017: self = .invalidResponse(explanation())
        case -1206 ... -1200, -1022: self = .invalidSSLCertificate(explanation(.connect))
        default: self = network(.other, nil)
        }
    }
}
