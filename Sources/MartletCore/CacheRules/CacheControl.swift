/// The directives of `Cache-Control` (RFC 9111 §5.2).
public struct CacheControl: Sendable, Hashable {
    /// The directives of every `Cache-Control` line.
    public init(_ headers: HTTPFields) {}
}
