/// What goes wrong in a cache without failing a call.
@nonexhaustive public enum CacheEvent: Sendable {
    /// The store could not do what it was asked: the call went on without it. A store that cannot be opened or reached is reported once, and
    /// again when the failure changes.
    case storeFailed(CacheStoreError)
    /// The server could not be asked in the background: what is stored stays as it is.
    case revalidationFailed(HTTPError)
    /// Something happened to what the store keeps, such as a damaged file that it set aside, in the store's words.
    case storeNotice(String)
}
