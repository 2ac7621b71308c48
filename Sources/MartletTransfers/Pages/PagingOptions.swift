/// How far and how fast one goes from page to page.
public struct PagingOptions: Sendable, Hashable {
    /// How many pages are got ahead of the one that is being used: 1 means that the next one is on its way meanwhile. More
    /// than 64 count as 64. Default: 0.
    public var prefetch: Int
    /// How many pages one iteration may get. Default: 1,000. Past it: `.pagingFailed(.tooManyPages)`, at the place of the page that is
    /// one too many, so that what is cut off is never taken for the end. For the first few pages there is `prefix`.
    public var pageLimit: Int
    /// How many items one iteration may give. Default: nil, as many as there are. Past it: `.pagingFailed(.tooManyItems)`.
    ///
    /// It counts what is iterated: of a sequence of pages, each page is one.
    public var itemLimit: Int?

    /// The options, each with its default.
    public init(prefetch: Int = 0, pageLimit: Int = 1000, itemLimit: Int? = nil) {
        self.prefetch = max(0, prefetch)
        self.pageLimit = pageLimit
        self.itemLimit = itemLimit
    }
}
