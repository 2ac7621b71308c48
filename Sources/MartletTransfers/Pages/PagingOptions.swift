/// How far and how fast one goes from page to page.
public struct PagingOptions: Sendable {
    /// How many pages are got ahead of the one that is being used: 1 means that the next one is on its way meanwhile. More
    /// than 64 count as 64. Default: 0.
    public var prefetch: Int
    /// How many pages one iteration may get. Default: 1,000. Past it: `.pagingFailed(.tooManyPages)`, at the place of the page that is
    /// one too many, so that what is cut off is never taken for the end. For the first few pages there is `prefix`.
    public var pageLimit: Int
    /// The number of elements after which an iteration ends, without an error: of items, or of pages in a sequence of pages. Default: nil, all
    /// elements.
    public var itemLimit: Int?
    /// The options for the call of each page.
    public var call: CallOptions

    /// The options, each with its default.
    public init(prefetch: Int = 0, pageLimit: Int = 1000, itemLimit: Int? = nil, call: CallOptions = CallOptions()) {
        self.prefetch = max(0, prefetch)
        self.pageLimit = pageLimit
        self.itemLimit = itemLimit
        self.call = call
    }
}
