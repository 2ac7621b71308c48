extension CacheInterceptor {
    /// A problem in the cache that did not fail a call.
    @nonexhaustive public enum Event: Sendable {
        /// An operation of the store failed, and the call continued without the store. A store that cannot be opened or reached is reported
        /// once, and again when the failure changes.
        case storeFailed(CacheStoreError)
        /// A revalidation in the background failed. The stored response is unchanged.
        case revalidationFailed(HTTPError)
        /// A notice from the store as text, such as that it set a damaged file aside.
        case storeNotice(String)
    }
}
