/// An asynchronous sequence of pages, or of the items on them, each requested when it is needed.
///
/// `pages` and `items` of a client create it. Nothing is sent before the first `next()`. Leaving a loop early, or cancelling its task,
/// cancels the running requests. Write such a loop in a function. At the top level of `main.swift`, its iterator exists until the program
/// ends.
///
/// An error is thrown in place of its page, after all pages before it. A further call of the same iterator requests the failed page again.
/// So does a sequence that ``starting(at:)`` begins at the iterator's ``AsyncIterator/position``. Pages are sent by the client like every
/// request, with its retries, deadlines and credentials.
public struct PagedSequence<Page: Sendable, Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    typealias Fetch = PageChain<Page>.Fetch

    let fetch: Fetch
    let rule: NextPage<Page>
    let options: PagingOptions
    let start: PagePosition
    let elements: @Sendable (HTTPResponse<Page>) -> [Element]
    let failure: @Sendable (HTTPError) -> Failure

    /// A sequence of the pages as responses, with status, header fields and decoded body. It requests pages of its own.
    public var responses: PagedSequence<Page, HTTPResponse<Page>, Failure> { giving { [$0] } }

    /// Returns a sequence of the items on the pages of this one. It requests pages of its own.
    public func items<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> PagedSequence<Page, Item, Failure> {
        giving { items($0.body) }
    }

    /// Returns a sequence that begins at a position instead of the first page. The position comes from an iterator of this sequence or of
    /// an equal one.
    public func starting(at position: PagePosition) -> Self {
        Self(fetch: fetch, rule: rule, options: options, start: position, elements: elements, failure: failure)
    }

    private func giving<Other: Sendable>(
        _ elements: @escaping @Sendable (HTTPResponse<Page>) -> [Other]
    ) -> PagedSequence<Page, Other, Failure> {
        PagedSequence<Page, Other, Failure>(
            fetch: fetch, rule: rule, options: options, start: start, elements: elements, failure: failure)
    }

    /// Begins an iteration at the first page, or at the position given to ``starting(at:)``.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// An iterator over the pages or items, which requests each page when it is needed. Copies share the pages that were requested ahead,
    /// so use only one of them.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let chain: PageChain<Page>
        private let options: PagingOptions
        private let elements: @Sendable (HTTPResponse<Page>) -> [Element]
        private let failure: @Sendable (HTTPError) -> Failure
        private var page: [Element] = []
        private var place = 0
        private var next: Result<PagePosition?, HTTPError>
        private var pageCount = 0
        private var itemCount = 0

        /// The position of the next page to request, or of the page that failed, or nil after the last page.
        ///
        /// This iterator first returns the remaining items of the current page. A sequence that starts at the position omits them.
        public var position: PagePosition? { (try? next.get()) ?? nil }

        fileprivate init(_ pages: PagedSequence) {
            chain = PageChain(pages.fetch, rule: pages.rule, ahead: pages.options.prefetch)
            options = pages.options
            elements = pages.elements
            failure = pages.failure
            next = .success(pages.start)
        }

        /// Returns the next page or item, or nil after the last one.
        ///
        /// Throws the errors of the request for a page, and `.pagingFailed`. After a failed request, the next call requests the same page
        /// again.
        public mutating func next() async throws(Failure) -> Element? {
            do throws(HTTPError) { return try await nextElement() } catch { throw failure(error) }
        }

        private mutating func nextElement() async throws(HTTPError) -> Element? {
            if let limit = options.maxItems, itemCount >= limit { return nil }
            while place == page.count {
                guard let wanted = try next.get() else { return nil }
                try await turn(to: wanted)
            }
            defer { (place, itemCount) = (place + 1, itemCount + 1) }
            return page[place]
        }

        private mutating func turn(to wanted: PagePosition) async throws(HTTPError) {
            if Task.isCancelled { throw .cancelled }
            guard pageCount < options.maxPages else {
                throw .pagingFailed(PagingFailure(.tooManyPages, "\(pageCount) pages were requested, and \(wanted) would follow"))
            }
            let fetched = try await chain.page(at: wanted, allowed: options.maxPages - pageCount - 1)
            pageCount += 1
            next = fetched.next
            page = elements(fetched.response)
            place = 0
        }
    }
}

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
