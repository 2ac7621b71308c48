public import MartletEssentials

// Whatever takes an endpoint has a twin for `Request`, so that a request defined as a static member is named by its short name.

extension HTTPClientProtocol {
    /// The pages of an endpoint's answer, one after the other.
    ///
    /// ```swift
    /// for try await repos in client.pages(ListRepos(), next: .link) { show(repos) }
    /// ```
    /// - Parameters:
    ///   - endpoint: asks for the first page.
    ///   - next: how the next page is found.
    ///   - options: how many pages are got ahead, and how many there may be.
    public func pages<E: Endpoint>(
        _ endpoint: E, next: NextPage<E.Response>, options: PagingOptions = .init()
    ) -> PagedSequence<E.Response, E.Response> {
        paged(endpoint, endpoint.decoding, next, options)
    }

    /// The pages of a request's answer, one after the other: `pages(.repos, next: .link)`.
    public func pages<Page: Sendable>(
        _ request: Request<Page>, next: NextPage<Page>, options: PagingOptions = .init()
    ) -> PagedSequence<Page, Page> {
        paged(request, request.decoding, next, options)
    }

    /// The pages of an endpoint that leaves its answer open, such as an enum case, each as the type the call names.
    @_disfavoredOverload
    public func pages<E: Endpoint, Page: Decodable & Sendable>(
        _ endpoint: E, as type: Page.Type = Page.self, next: NextPage<Page>, options: PagingOptions = .init()
    ) -> PagedSequence<Page, Page> where E.Response == Data {
        paged(endpoint, .decodable, next, options)
    }

    /// What is on the pages of an endpoint's answer, one after the other.
    ///
    /// ```swift
    /// for try await user in client.items(ListUsers(), next: .cursor(\.next, query: "cursor"), items: \.users) { show(user) }
    /// ```
    /// - Parameters:
    ///   - endpoint: asks for the first page.
    ///   - next: how the next page is found.
    ///   - items: what is on a page.
    ///   - options: how many pages are got ahead, and how many there may be.
    public func items<E: Endpoint, Item: Sendable>(
        _ endpoint: E, next: NextPage<E.Response>, items: @escaping @Sendable (E.Response) -> [Item], options: PagingOptions = .init()
    ) -> PagedSequence<E.Response, Item> {
        pages(endpoint, next: next, options: options).items(items)
    }

    /// What is on the pages of a request's answer, one after the other: `items(.users, next: .link, items: \.users)`.
    public func items<Page: Sendable, Item: Sendable>(
        _ request: Request<Page>, next: NextPage<Page>, items: @escaping @Sendable (Page) -> [Item], options: PagingOptions = .init()
    ) -> PagedSequence<Page, Item> {
        pages(request, next: next, options: options).items(items)
    }

    /// What is on the pages of an endpoint that leaves its answer open, each page as the type the call names.
    @_disfavoredOverload
    public func items<E: Endpoint, Page: Decodable & Sendable, Item: Sendable>(
        _ endpoint: E, as type: Page.Type = Page.self, next: NextPage<Page>, items: @escaping @Sendable (Page) -> [Item],
        options: PagingOptions = .init()
    ) -> PagedSequence<Page, Item> where E.Response == Data {
        pages(endpoint, as: type, next: next, options: options).items(items)
    }

    /// What is on pages that are arrays.
    public func items<E: Endpoint, Item: Sendable>(
        _ endpoint: E, next: NextPage<[Item]>, options: PagingOptions = .init()
    ) -> PagedSequence<[Item], Item> where E.Response == [Item] {
        pages(endpoint, next: next, options: options).items { $0 }
    }

    /// What is on pages that are arrays: `items(.repos, next: .link)`.
    public func items<Item: Sendable>(
        _ request: Request<[Item]>, next: NextPage<[Item]>, options: PagingOptions = .init()
    ) -> PagedSequence<[Item], Item> {
        pages(request, next: next, options: options).items { $0 }
    }

    private func paged<E: Endpoint, Page: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Page>, _ next: NextPage<Page>, _ options: PagingOptions
    ) -> PagedSequence<Page, Page> {
        PagedSequence(
            fetch: { position throws(HTTPError) in
                try await perform(position.adjusted(endpoint, body: next.body), decoding: decoding)
            }, rule: next, options: options, start: next.start, elements: { [$0.body] })
    }
}
