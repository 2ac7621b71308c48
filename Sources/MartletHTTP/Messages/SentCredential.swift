/// A handle to the credential that a request was sent with. It can renew the credential and does not reveal it.
///
/// `AuthInterceptor` attaches it to responses, because some servers reject a credential in the body of a 200 and not with a 401.
///
/// ```swift
/// if isSessionOver(response.body), try await response.metadata.credential?.renew() == true {
///     show(try await client.send(GetUser(id: 1)))  // sends the call again, once
/// }
/// ```
///
/// A custom authentication interceptor creates one whose closure does what the interceptor does after a 401.
public struct SentCredential: Sendable {
    // One reference, so that responses are cheap to pass.
    private let content: Content

    private final class Content: Sendable {
        let isRenewed: Bool
        let renew: @Sendable () async throws(HTTPError) -> Bool

        init(_ isRenewed: Bool, _ renew: @escaping @Sendable () async throws(HTTPError) -> Bool) {
            self.isRenewed = isRenewed
            self.renew = renew
        }
    }

    /// Creates a handle to a credential from a closure that renews it.
    ///
    /// - Parameters:
    ///   - isRenewed: Whether this call already renewed the credential after the server rejected an earlier one.
    ///   - renew: Renews the credential once for all concurrent callers. Returns whether a new credential is available.
    public init(isRenewed: Bool = false, renew: @escaping @Sendable () async throws(HTTPError) -> Bool) {
        content = Content(isRenewed, renew)
    }

    /// Whether this call already renewed the credential after a rejection. Renewing it again is unlikely to help.
    public var isRenewed: Bool { content.isRenewed }

    /// Renews this credential for all callers, unless it was replaced in the meantime.
    ///
    /// Concurrent callers wait for one renewal, which the cancellation of a caller does not stop.
    ///
    /// - Returns: Whether a new credential is available, so that the request can be resent.
    /// - Throws: `.authenticationFailed` if the renewal fails, and `.cancelled`.
    public func renew() async throws(HTTPError) -> Bool { try await content.renew() }
}

extension SentCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// A text that reveals nothing of the credential.
    public var description: String { "a credential" + (isRenewed ? ", renewed" : "") }
}
