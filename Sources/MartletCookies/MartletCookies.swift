// MartletCookies: stores the cookies of responses and sends them with later requests (RFC 6265bis), and remembers the hosts that require
// https (RFC 6797).
//
// - Generated: the table of public suffixes, written by scripts/public-suffixes.
// - Values: cookies, their jar and its limits.
// - Rules: reading `Set-Cookie`, and which cookies a host may set and gets.
// - Stores: where cookies are kept. A file belongs to one store of one process.
// - StrictTransport: `Strict-Transport-Security`.
//
// Imports: MartletClient, which it re-exports. Start with `CookieInterceptor`.

@_exported public import MartletClient
