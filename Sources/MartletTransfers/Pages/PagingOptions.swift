/// The options for sequences of pages.
public struct PagingOptions: Sendable {
    /// The number of pages that are requested ahead of the current one, at most 64. With 1, the next page is loaded while the current one
    /// is used. Default: 0.
    public var prefetch: Int
    /// The maximum number of pages of one iteration. A page beyond it throws `.pagingFailed(.tooManyPages)`, so that a missing rest is not
    /// taken for the end. For the first few pages, use `prefix`. Default: 1,000.
    public var maxPages: Int
    /// The number of elements after which an iteration ends, without an error: of items, or of pages in a sequence of pages. Default: nil,
    /// all elements.
    public var maxItems: Int?
    /// The options for the call of each page.
    public var call: CallOptions

    /// Creates options. An option that is left out has its default.
    public init(prefetch: Int = 0, maxPages: Int = 1000, maxItems: Int? = nil, call: CallOptions = CallOptions()) {
        self.prefetch = max(0, prefetch)
        self.maxPages = maxPages
        self.maxItems = maxItems
        self.call = call
    }
}
