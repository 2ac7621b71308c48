/// How a query is asked.
public enum GraphQLQueryMethod: Sendable, Hashable, CaseIterable {
    /// By POST.
    case post
    /// By GET, with its parameters in the URL, so that caches can keep the answer (GraphQL over HTTP §5.3).
    ///
    /// URLs are written down by servers and proxies: variables should not be secrets. A query whose URL is too long, or that has uploads,
    /// is asked by POST.
    case get
}
