/// What goes wrong in a cache without failing a call.
@nonexhaustive public enum CacheEvent: Sendable {
    /// The store could not do what it was asked: the call went on without it.
    case storeFailed(CacheStoreError)
    /// The server could not be asked in the background: what is stored stays as it is.
    case revalidationFailed(HTTPError)
}
