/// The reason why a cookie is not stored.
///
/// ```swift
/// let cookies = CookieInterceptor { event in
///     if case .rejected(let name, let host, let reason) = event { show("\(host) can't set \(name): \(reason)") }
/// }
/// ```
@nonexhaustive public enum CookieRejection: String, Error, Sendable, Hashable, CaseIterable {
    /// The cookie has neither a name nor a value.
    case empty
    /// The line, or a part of a cookie set by the app, has a control character or a separator that is not allowed there.
    case controlCharacter
    /// The name and the value are longer than ``CookieJar/Limits/cookieBytes``.
    case tooLarge
    /// The host of the request is not a valid host name or address, is written with characters other than ASCII, or differs from the
    /// request's own `Host` field.
    case unsupportedHost
    /// The `Domain` is neither the host of the request nor a parent domain of it, or the host is an IP address.
    case foreignDomain
    /// The `Domain` is a public suffix such as `com` or `co.uk`, or one is between it and the host: unrelated sites would get the cookie.
    case publicSuffix
    /// The cookie is `Secure`, and the response did not arrive over a secure connection.
    case insecureConnection
    /// The response did not arrive over a secure connection, and the cookie would replace or hide a `Secure` cookie.
    case hidesSecureCookie
    /// The cookie has `SameSite=None` and is not `Secure`.
    case sameSiteNoneWithoutSecure
    /// The name begins with `__Secure-` or `__Host-`, and the cookie does not have the attributes that the prefix promises; or the cookie
    /// has no name, and its value begins with such a prefix.
    case prefix
}
