/// The HTTP method for queries.
public enum GraphQLQueryMethod: Sendable, Hashable, CaseIterable {
    /// POST, with the parameters as a JSON body.
    case post
    /// GET, with the parameters in the URL, so that HTTP caches can store the response (GraphQL over HTTP §5.3).
    ///
    /// Servers and proxies log URLs, so variables must not contain secrets. A query whose URL is too long, or that has uploads, uses POST.
    case get
}
