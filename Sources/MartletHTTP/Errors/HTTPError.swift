public import MartletEssentials

/// Why a call gave no value: the one error that clients, interceptors and transports throw.
///
/// Every case says which request failed, at which stage and why (``request``, ``stage``, ``underlying``), and keeps the response
/// when there was one (``response``, ``status``, ``problem``, `decodeBody(as:using:)`). Texts hide what is secret in URLs, fields and
/// bodies. `==` compares what happened and not the context around it, so that `error == .timeout` is true for any time-out.
///
/// ```swift
/// do { user = try await client.send(GetUser(id: 1)) } catch {
///     switch error {
///     case .statusCode(let response) where response.status == .notFound: show("nobody")
///     case .timeout, .networkError: offerRetry()
///     default: show(error.errorDescription)  // nil after a cancellation
///     }
/// }
/// ```
///
/// Cases may be added in later versions: switches outside this package need a `default`.
@nonexhaustive public indirect enum HTTPError: Error, Sendable {
    /// A URL, base URL or path that can't be sent to.
    case invalidURL(Explanation)
    /// A request that can't be written as HTTP, or a body that isn't there.
    case invalidRequest(Explanation)
    /// A query, form or body could not be encoded.
    case encodingFailed(Explanation)
    /// No answer: the network or the other side failed.
    case networkError(NetworkFailure)
    /// No answer: the server's certificate or the TLS handshake was refused.
    case invalidSSLCertificate(Explanation)
    /// No answer in time: while connecting, waiting, between bytes, or in all.
    case timeout(ErrorContext)
    /// The task was cancelled, or the call was cancelled with `EndpointClient.cancelAll()`.
    case cancelled(ErrorContext)
    /// The client or its transport is draining and refuses new calls: see `EndpointClient.drain(within:)`. Nothing was sent.
    case draining(ErrorContext)
    /// The response is not valid HTTP, or its body cannot be decompressed. A response that a lost connection truncates is `.networkError`.
    case invalidResponse(Explanation)
    /// There was no content where a value was expected.
    case noData(Explanation)
    /// The status was not one that the request accepts. The response has its body.
    case statusCode(HTTPResponse<Data>)
    /// The body is not what the request says it is.
    case decodingFailed(DecodingFailure)
    /// The answer passed a limit of size.
    case responseTooLarge(SizeLimitFailure)
    /// A file could not be made, written or moved into its place.
    case fileFailed(FileFailure)
    /// What came is not what was promised: a digest or a checksum does not match.
    case integrityFailed(Explanation)
    /// A redirect that may not be followed, or too many.
    case redirectFailed(Explanation)
    /// The body had to be sent or read again and is a stream that is gone.
    case bodyNotReplayable(Explanation)
    /// The next page is one that was got before, or may not be got.
    case pagingFailed(PagingFailure)
    /// The address that the request leads to is one that may not be reached: see `AddressPolicy`. Nothing was sent.
    case addressRefused(Explanation)
    /// No credential could be got, or it was refused.
    case authenticationFailed(Explanation)
    /// The circuit breaker is open: nothing was sent.
    case circuitOpen(Explanation)
    /// A system library that the transport needs is missing, too old, or can't be used here.
    case engineUnavailable(Explanation)
    /// An interceptor of the user's threw an error that is not an `HTTPError`: ``underlying``. The text is the interceptor's type.
    case interceptorFailed(Explanation)
}

// MARK: - Making and comparing

extension HTTPError {
    /// A time-out, for throwing and comparing.
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
