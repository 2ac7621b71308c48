/// The options for a sequence of pages: loading ahead, limits, and options for each call.
public struct PagingOptions: Sendable {
    /// The number of pages that are requested ahead of the one that is used, at most 64. With 1, the next page is loaded while the current
    /// one is used. Default: 0.
    public var prefetch: Int
    /// The maximum number of pages of one iteration; a page beyond it throws `.pagingFailed(.tooManyPages)`. A missing rest is thus not
    /// taken for the end. For the first few pages, use `prefix`. Default: 1,000.
    public var maxPages: Int
    /// The number of items, or of pages in a sequence of pages, after which an iteration ends without an error, or nil for all. Default:
    /// nil.
    public var maxItems: Int?
    /// The options for the call of each page.
    public var call: CallOptions

    /// Creates the options for a sequence of pages. An option that is left out has its default.
    public init(prefetch: Int = 0, maxPages: Int = 1000, maxItems: Int? = nil, call: CallOptions = CallOptions()) {
        self.prefetch = max(0, prefetch)
        self.maxPages = maxPages
        self.maxItems = maxItems
        self.call = call
    }
}
