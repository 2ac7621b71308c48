extension GraphQLOperationClient {
    /// Returns a sequence of the pages of a query's data, each requested when it is needed by sending the query with other variables.
    ///
    /// ```swift
    /// for try await page in graphQL.pages(BirdsQuery(), next: .cursor { $0.birds.pageInfo }) { show(page) }
    /// ```
    ///
    /// Iteration starts the first request, and each further page is requested when the loop needs it. Data with errors beside it ends the
    /// sequence with `.response`, unless the error policy allows it. Other errors are those of `execute`, and `.http(.pagingFailed)` for
    /// variables that repeat, for a page beyond the limit, and for a missing cursor.
    ///
    /// - Parameters:
    ///   - operation: The operation for the first page.
    ///   - next: The rule that finds the next page.
    ///   - maxPages: The maximum number of pages of one iteration. Default: 1,000. A page beyond it throws `.pagingFailed(.tooManyPages)`.
    ///   - maxItems: The number of elements after which an iteration ends without an error. Default: nil, all elements.
    ///   - options: The options for each call.
    public func pages<Data>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Data, Failure> {
        GraphQLPages(
            client: graphQLClient, operation: operation, rule: next, limits: .init(pages: maxPages, items: maxItems), options: options,
            elements: { [$0] }, failure: failure)
    }

    /// Returns a sequence of the pages of the data of a query defined as a type, each requested when it is needed.
    public func pages<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Operation.Data, Failure> {
        pages(operation.operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    /// Returns a sequence of the items on all pages of a query's data, with each page requested when it is needed.
    ///
    /// ```swift
    /// for try await bird in graphQL.items(BirdsQuery(), next: .cursor { $0.birds.pageInfo }, items: \.birds.nodes) { show(bird) }
    /// ```
    public func items<Data, Item: Sendable>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, items: @escaping @Sendable (Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Item, Failure> {
        GraphQLPages(
            client: graphQLClient, operation: operation, rule: next, limits: .init(pages: maxPages, items: maxItems), options: options,
            elements: items, failure: failure)
    }

    /// Returns a sequence of the items on all pages of a query defined as a type, with each page requested when it is needed.
    public func items<Operation: GraphQLOperationDefinition, Item: Sendable>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, items: @escaping @Sendable (Operation.Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Item, Failure> {
        self.items(operation.operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options)
    }
}

/// The limits of one iteration.
struct GraphQLPageLimits: Sendable {
    var pages: Int
    var items: Int?
}

/// An asynchronous sequence of a query's pages or of their items, as returned by `pages(_:next:)` and `items(_:next:items:)`.
public struct GraphQLPages<Data: Decodable & Sendable, Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    let client: any GraphQLClientProtocol
    let operation: GraphQLOperation<Data>
    let rule: GraphQLNextPage<Data>
    let limits: GraphQLPageLimits
    let options: GraphQLCallOptions
    let elements: @Sendable (Data) -> [Element]
    let failure: @Sendable (GraphQLError) -> Failure

    /// Creates an iterator that begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self, wanted: operation) }

    /// An iterator over the pages or items, which requests each page when it is needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let sequence: GraphQLPages
        private var page: ArraySlice<Element> = []
        /// The variables of the pages already received.
        private var visited: Set<[String: GraphQLVariable]> = []
        private var itemCount = 0
        private var following: Result<GraphQLOperation<Data>?, GraphQLError>

        fileprivate init(sequence: GraphQLPages, wanted: GraphQLOperation<Data>) {
            self.sequence = sequence
            following = .success(wanted)
        }

        /// The operation for the next page, or nil after the last one. Pass it to `pages(_:next:)` later to resume there.
        public var nextOperation: GraphQLOperation<Data>? { (try? following.get()) ?? nil }

        /// Returns the next page or item, or nil after the last one. After an error, the next call requests the same page again.
        public mutating func next() async throws(Failure) -> Element? {
            do throws(GraphQLError) { return try await nextElement() } catch { throw sequence.failure(error) }
        }

        private mutating func nextElement() async throws(GraphQLError) -> Element? {
            if let limit = sequence.limits.items, itemCount >= limit { return nil }
            while page.isEmpty {
                guard let wanted = try following.get() else { return nil }
                try await turn(to: wanted)
            }
            itemCount += 1
            return page.popFirst()
        }

        private mutating func turn(to wanted: GraphQLOperation<Data>) async throws(GraphQLError) {
            if Task.isCancelled { throw .http(.cancelled) }
            guard visited.count < sequence.limits.pages else {
                throw AsyncIterator.failure(
                    .tooManyPages,
                    "the limit is \(sequence.limits.pages) pages, and another page follows: raise maxPages if that is expected")
            }
            let variables = wanted.variables
            guard !visited.contains(variables) else {
                throw AsyncIterator.failure(.loop, "the next page has the same variables as an earlier one, so the pages would repeat")
            }
            let data = try await sequence.client.execute(wanted, options: sequence.options)
            visited.insert(variables)
            page = sequence.elements(data)[...]
            following = next(after: data, wanted, variables)
        }

        /// Returns the operation for the following page. The result is used after all items of this page.
        private func next(
            after data: Data, _ operation: GraphQLOperation<Data>, _ variables: [String: GraphQLVariable]
        ) -> Result<GraphQLOperation<Data>?, GraphQLError> {
            do throws(GraphQLError) {
                let changes = try sequence.rule.following(data, variables)
                return .success(changes.map { $0.reduce(operation) { $0.setting($1.key, to: $1.value) } })
            } catch { return .failure(error) }
        }

        private static func failure(_ kind: PagingFailure.Kind, _ text: String) -> GraphQLError {
            .http(.pagingFailed(PagingFailure(kind, text)))
        }
    }
}
