public import MartletEssentials

/// The error of a call. Clients and transports throw only this type.
///
/// Every error carries the request, the stage and the underlying error (``request``, ``stage``, ``underlying``). If a response was
/// received, the error keeps it (``response``, ``status``, ``problem``, `decodeBody(as:using:)`). Descriptions redact secrets in URLs,
/// header fields and bodies. `==` ignores the context, so `error == .timeout` is true for any timeout.
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
    /// The request can't be sent as HTTP, or its body is missing or invalid.
    case invalidRequest(Explanation)
    /// A query, form or body could not be encoded.
    case encodingFailed(Explanation)
    /// The network or the server failed before the response was complete.
    case networkError(NetworkFailure)
    /// No response was received because the server's certificate was rejected or the TLS handshake failed.
    case invalidSSLCertificate(Explanation)
    /// A time limit expired: for connecting, for the response, between bytes, or for the whole call.
    case timeout(ErrorContext)
    /// The task was cancelled, or the call was cancelled with `EndpointClient.cancelAll()`.
    case cancelled(ErrorContext)
    /// The client or its transport is draining and rejects new calls (`EndpointClient.drain(within:)`). Nothing was sent.
    case draining(ErrorContext)
    /// The response is not valid HTTP, or its body cannot be decompressed. A response that a lost connection truncates is `.networkError`.
    case invalidResponse(Explanation)
    /// The response has no body although a value was expected.
    case noData(Explanation)
    /// The request does not accept the response's status. The response includes its body.
    case statusCode(HTTPResponse<Data>)
    /// The body could not be decoded as the requested type.
    case decodingFailed(DecodingFailure)
    /// The response exceeded a size limit.
    case responseTooLarge(SizeLimitFailure)
    /// A file could not be created, written or moved to its destination.
    case fileFailed(FileFailure)
    /// A digest or checksum does not match the received bytes.
    case integrityFailed(Explanation)
    /// A redirect is not allowed, or there were too many.
    case redirectFailed(Explanation)
    /// The body must be sent or read again, but it is a stream that has already been read.
    case bodyNotReplayable(Explanation)
    /// The next page was loaded before, or must not be requested.
    case pagingFailed(PagingFailure)
    /// The request's address is not allowed (`AddressPolicy`). Nothing was sent.
    case addressRefused(Explanation)
    /// No credential could be obtained, or the server rejected it.
    case authenticationFailed(Explanation)
    /// The circuit breaker is open. Nothing was sent.
    case circuitOpen(Explanation)
    /// A system library that the transport needs is missing, too old or unusable here.
    case engineUnavailable(Explanation)
    /// A custom interceptor threw an error other than `HTTPError`, which is ``underlying``. The explanation is the interceptor's type.
    case interceptorFailed(Explanation)
}

// MARK: - Making and comparing

extension HTTPError {
    /// A timeout, for throwing and comparing.
    public static var timeout: HTTPError { .timeout(ErrorContext()) }

    /// A cancellation, for throwing and comparing.
    public static var cancelled: HTTPError { .cancelled(ErrorContext()) }

    /// The error of a new call while draining, for throwing and comparing.
    public static var draining: HTTPError { .draining(ErrorContext()) }

    /// An invalid URL, for comparing.
    public static var invalidURL: HTTPError { .invalidURL("") }

    /// An invalid response, for comparing.
    public static var invalidResponse: HTTPError { .invalidResponse("") }

    /// Missing content, for comparing.
    public static var noData: HTTPError { .noData("") }
}

extension HTTPError: Equatable {
    /// Returns whether both describe the same failure. Explanations and contexts (request, stage, attempts, underlying error) do not count.
    public static func == (left: Self, right: Self) -> Bool {
        let left = left.parts, right = right.parts
        return left.title == right.title && left.payload.isSame(asAny: right.payload)
    }
}
