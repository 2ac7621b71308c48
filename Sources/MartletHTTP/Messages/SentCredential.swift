/// The credential that a request was sent with, as a handle: it can be replaced, and not be seen.
///
/// `AuthInterceptor` puts it on the responses to its requests, since a refusal need not be a 401: it may stand in a body of status 200.
///
/// ```swift
/// if saysThatTheSessionIsOver(response.body), try await response.metadata.credential?.renew() == true { /* send again, once */ }
/// ```
///
/// An interceptor of your own makes one with what it would itself do after a 401.
public struct SentCredential: Sendable {
    // One reference, so that responses stay cheap to pass.
    private let content: Content

    private final class Content: Sendable {
        let isRenewed: Bool
        let renew: @Sendable () async throws(HTTPError) -> Bool

        init(_ isRenewed: Bool, _ renew: @escaping @Sendable () async throws(HTTPError) -> Bool) {
            self.isRenewed = isRenewed
            self.renew = renew
        }
    }

    /// A handle.
    ///
    /// - Parameters:
    ///   - isRenewed: whether it was got for this very call, in place of one that the server refused.
    ///   - renew: gets another one, once for all who ask at the same time; true when there is one.
    public init(isRenewed: Bool = false, renew: @escaping @Sendable () async throws(HTTPError) -> Bool) {
        content = Content(isRenewed, renew)
    }

    /// Whether it was got for this very call, in place of one that the server refused: then another is not likely to do better.
    public var isRenewed: Bool { content.isRenewed }

    /// Replaces exactly this credential, for everybody, unless it has been replaced since. True when another is there now, so that the
    /// request may be sent again.
    ///
    /// Everybody who asks at the same time waits for one renewal, which none of them can cancel. Throws `.authenticationFailed` when it
    /// fails, and `.cancelled`.
    public func renew() async throws(HTTPError) -> Bool { try await content.renew() }
}

extension SentCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// Nothing of the credential.
    public var description: String { "a credential" + (isRenewed ? ", renewed" : "") }
}
