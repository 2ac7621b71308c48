/// The pages of an answer that comes in several, or what is on them: got one after the other as they are asked for.
///
/// Made by `pages` and `items` of a client. Nothing is sent before the first `next()`. Leaving a loop early, and cancelling its task,
/// cancels what is under way. Write such a loop in a function: at the top level of `main.swift`, its iterator exists until the program ends.
///
/// An error is thrown at the place of its page; all pages before have been given. The same iterator may be asked again after it, and
/// then goes on from the page that failed; so does a sequence that ``starting(at:)`` begins at the iterator's
/// ``AsyncIterator/position``. Pages are sent by the client like any request, with its retries, deadlines and credentials.
public struct PagedSequence<Page: Sendable, Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    typealias Fetch = PageChain<Page>.Fetch

    let fetch: Fetch
    let rule: NextPage<Page>
    let options: PagingOptions
    let start: PagePosition
    let elements: @Sendable (HTTPResponse<Page>) -> [Element]
    let failure: @Sendable (HTTPError) -> Failure

    /// The same pages with their envelopes: status, fields, links.
    public var responses: PagedSequence<Page, HTTPResponse<Page>, Failure> { giving { [$0] } }

    /// What is on the pages, one after the other.
    public func items<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> PagedSequence<Page, Item, Failure> {
        giving { items($0.body) }
    }

    /// The same from a position on, which an iterator of this sequence, or of an equal one, had.
    public func starting(at position: PagePosition) -> Self {
        Self(fetch: fetch, rule: rule, options: options, start: position, elements: elements, failure: failure)
    }

    private func giving<Other: Sendable>(
        _ elements: @escaping @Sendable (HTTPResponse<Page>) -> [Other]
    ) -> PagedSequence<Page, Other, Failure> {
        PagedSequence<Page, Other, Failure>(
            fetch: fetch, rule: rule, options: options, start: start, elements: elements, failure: failure)
    }

    /// Begins at the first page, or at the position that was given.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Goes through the pages once. A copy of it shares what is got ahead: use one.
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

        /// Where the page is that is got next: the one that has failed, when one has; nil when the last one has been got.
        ///
        /// What is left of the page before is given first by this iterator, and not by a sequence that starts here.
        public var position: PagePosition? { (try? next.get()) ?? nil }

        fileprivate init(_ pages: PagedSequence) {
            chain = PageChain(pages.fetch, rule: pages.rule, ahead: pages.options.prefetch)
            options = pages.options
            elements = pages.elements
            failure = pages.failure
            next = .success(pages.start)
        }

        /// The next page or item; nil after the last one.
        ///
        /// Throws what sending the request for a page throws, and `.pagingFailed`. After a failed request the next call asks for the
        /// same page again.
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
                throw .pagingFailed(PagingFailure(.tooManyPages, "\(pageCount) were got, and \(wanted) would follow"))
            }
            let fetched = try await chain.page(at: wanted, allowed: options.maxPages - pageCount - 1)
            pageCount += 1
            next = fetched.next
            page = elements(fetched.response)
            place = 0
        }
    }
}
