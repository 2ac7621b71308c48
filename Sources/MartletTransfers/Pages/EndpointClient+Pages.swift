public import MartletEssentials

// The disfavoured variants for `Request` are for its static members, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Returns a sequence of pages that begins with an endpoint's response, each requested when it is needed.
    ///
    /// ```swift
    /// for try await repos in client.pages(ListRepos(), next: .link) { show(repos) }
    /// ```
    /// - Parameters:
    ///   - endpoint: Requests the first page.
    ///   - next: Finds the next page.
    ///   - options: The number of pages to load ahead, the limits, and the options for each call.
    public func pages<E: Endpoint>(
        _ endpoint: E, next: NextPage<E.Response>, options: PagingOptions = .init()
    ) -> PagedSequence<E.Response, E.Response, Failure> {
        paged(endpoint, endpoint.decoding, next, options)
    }

    /// Returns a sequence of pages that begins with a request's response, as in `pages(.repos, next: .link)`, each requested when it is
    /// needed.
    @_disfavoredOverload
    public func pages<Page: Sendable>(
        _ request: Request<Page>, next: NextPage<Page>, options: PagingOptions = .init()
    ) -> PagedSequence<Page, Page, Failure> {
        paged(request, request.decoding, next, options)
    }

    /// Returns a sequence of pages that begins with the response to an endpoint without a response type, each decoded as `type`.
    @_disfavoredOverload
    public func pages<E: Endpoint, Page: Decodable & Sendable>(
        _ endpoint: E, as type: Page.Type = Page.self, next: NextPage<Page>, options: PagingOptions = .init()
    ) -> PagedSequence<Page, Page, Failure> where E.Response == Data {
        paged(endpoint, .decodable, next, options)
    }

    /// Returns a sequence of the items on all pages that begin with an endpoint's response, with each page requested when it is needed.
    ///
    /// ```swift
    /// for try await user in client.items(SearchUsers(), next: .cursor(\.next, query: "cursor"), items: \.users) { show(user) }
    /// ```
    /// - Parameters:
    ///   - endpoint: Requests the first page.
    ///   - next: Finds the next page.
    ///   - items: Returns the items on a page.
    ///   - options: The number of pages to load ahead, the limits, and the options for each call.
    public func items<E: Endpoint, Item: Sendable>(
        _ endpoint: E, next: NextPage<E.Response>, items: @escaping @Sendable (E.Response) -> [Item], options: PagingOptions = .init()
    ) -> PagedSequence<E.Response, Item, Failure> {
        pages(endpoint, next: next, options: options).items(items)
    }

    /// Returns a sequence of the items on all pages that begin with a request's response, as in `items(.users, next: .link, items:
    /// \.users)`.
    @_disfavoredOverload
    public func items<Page: Sendable, Item: Sendable>(
        _ request: Request<Page>, next: NextPage<Page>, items: @escaping @Sendable (Page) -> [Item], options: PagingOptions = .init()
    ) -> PagedSequence<Page, Item, Failure> {
        pages(request, next: next, options: options).items(items)
    }

    /// Returns a sequence of the items on all pages that begin with the response to an endpoint without a response type. `type` is the type
    /// of a page.
    @_disfavoredOverload
    public func items<E: Endpoint, Page: Decodable & Sendable, Item: Sendable>(
        _ endpoint: E, as type: Page.Type = Page.self, next: NextPage<Page>, items: @escaping @Sendable (Page) -> [Item],
        options: PagingOptions = .init()
    ) -> PagedSequence<Page, Item, Failure> where E.Response == Data {
        pages(endpoint, as: type, next: next, options: options).items(items)
    }

    /// Returns a sequence of the elements of all pages, if each page is an array, with each page requested when it is needed.
    public func items<E: Endpoint, Item: Sendable>(
        _ endpoint: E, next: NextPage<[Item]>, options: PagingOptions = .init()
    ) -> PagedSequence<[Item], Item, Failure> where E.Response == [Item] {
        pages(endpoint, next: next, options: options).items { $0 }
    }

    /// Returns a sequence of the elements of all pages, if each page is an array whose type the call names, as in `items(API.repos, as:
    /// [Repo].self, next: .link)`.
    public func items<E: Endpoint, Item: Decodable & Sendable>(
        _ endpoint: E, as type: [Item].Type, next: NextPage<[Item]>, options: PagingOptions = .init()
    ) -> PagedSequence<[Item], Item, Failure> where E.Response == Data {
        pages(endpoint, as: type, next: next, options: options).items { $0 }
    }

    /// Returns a sequence of the elements of all pages of a request, if each page is an array, as in `items(.repos, next: .link)`.
    @_disfavoredOverload
    public func items<Item: Sendable>(
        _ request: Request<[Item]>, next: NextPage<[Item]>, options: PagingOptions = .init()
    ) -> PagedSequence<[Item], Item, Failure> {
        pages(request, next: next, options: options).items { $0 }
    }

    private func paged<E: Endpoint, Page: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Page>, _ next: NextPage<Page>, _ options: PagingOptions
    ) -> PagedSequence<Page, Page, Failure> {
        let client = httpClient
        return PagedSequence(
            fetch: { position throws(HTTPError) in
                let endpoint = position.adjusted(endpoint, body: next.body, naming: client.configuration.harmlessFields)
                return try await client.perform(endpoint, options: options.call, decoding: decoding)
            }, rule: next, options: options, start: next.start, elements: { [$0.body] }, failure: failure)
    }
}
