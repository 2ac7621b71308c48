extension CacheInterceptor {
    /// What goes wrong in a cache without failing a call.
    @nonexhaustive public enum Event: Sendable {
        /// An operation of the store failed, and the call continued without the store. A store that cannot be opened or reached is reported
        /// once, and again when the failure changes.
        case storeFailed(CacheStoreError)
        /// The server could not be asked in the background: what is stored stays as it is.
        case revalidationFailed(HTTPError)
        /// A notice from the store in its own words, such as that it set a damaged file aside.
        case storeNotice(String)
    }
}
