extension GraphQLClientProtocol {
    /// The pages of a query's data, one after the other: each the query again with other variables.
    ///
    /// ```swift
    /// for try await page in graphQL.pages(BirdsQuery(), next: .cursor { $0.birds.pageInfo }) { show(page) }
    /// ```
    ///
    /// Nothing is sent before it is iterated, and the next page is asked for when the loop wants it. Data with errors beside them end it
    /// with `.response`, unless the error policy says otherwise. Other errors are `execute`'s, and `.http(.pagingFailed)`: a page whose
    /// variables were there before, a page beyond the limit, or a missing cursor.
    ///
    /// - Parameters:
    ///   - operation: asks for the first page.
    ///   - next: how the next page is found.
    ///   - maxPages: The maximum number of pages of one iteration. Default: 1,000. A page beyond it throws `.pagingFailed(.tooManyPages)`.
    ///   - maxItems: The number of elements after which an iteration ends without an error. Default: nil, all elements.
    ///   - options: of each call.
    public func pages<Data>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Data, GraphQLError> {
        GraphQLPages(
            client: self, operation: operation, rule: next, limits: .init(pages: maxPages, items: maxItems), options: options,
            elements: { [$0] }
        ) { $0 }
    }

    /// The pages of a query that is a type of its own.
    public func pages<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Operation.Data, GraphQLError> {
        pages(operation.operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    /// What is on the pages of a query's data, one after the other.
    ///
    /// ```swift
    /// for try await bird in graphQL.items(BirdsQuery(), next: .cursor { $0.birds.pageInfo }, items: \.birds.nodes) { show(bird) }
    /// ```
    public func items<Data, Item: Sendable>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, items: @escaping @Sendable (Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Item, GraphQLError> {
        GraphQLPages(
            client: self, operation: operation, rule: next, limits: .init(pages: maxPages, items: maxItems), options: options,
            elements: items
        ) { $0 }
    }

    /// What is on the pages of a query that is a type of its own.
    public func items<Operation: GraphQLOperationDefinition, Item: Sendable>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, items: @escaping @Sendable (Operation.Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Item, GraphQLError> {
        self.items(operation.operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options)
    }
}

/// How many pages and elements an iteration may return.
struct GraphQLPageLimits: Sendable {
    var pages: Int
    var items: Int?
}

/// The pages of a query, or their items: the sequence that `pages(_:next:)` and `items(_:next:items:)` return.
public struct GraphQLPages<Data: Decodable & Sendable, Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    let client: any GraphQLClientProtocol
    let operation: GraphQLOperation<Data>
    let rule: GraphQLNextPage<Data>
    let limits: GraphQLPageLimits
    let options: GraphQLCallOptions
    let elements: @Sendable (Data) -> [Element]
    let failure: @Sendable (GraphQLError) -> Failure

    /// Returns the pages with the errors that `map` returns for their own.
    func mappingErrors<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> GraphQLPages<Data, Element, Other> {
        let failure = failure
        return GraphQLPages<Data, Element, Other>(
            client: client, operation: operation, rule: rule, limits: limits, options: options, elements: elements
        ) { map(failure($0)) }
    }

    /// Begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self, wanted: operation) }

    /// Goes through the pages once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let sequence: GraphQLPages
        private var page: ArraySlice<Element> = []
        /// The variables of the pages that were got.
        private var visited: Set<[String: GraphQLVariable]> = []
        private var itemCount = 0
        private var following: Result<GraphQLOperation<Data>?, GraphQLError>

        fileprivate init(sequence: GraphQLPages, wanted: GraphQLOperation<Data>) {
            self.sequence = sequence
            following = .success(wanted)
        }

        /// The operation for the page that is got next; nil when the last one has been got. A later sequence over it goes on
        /// here.
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
                throw AsyncIterator.failure(.tooManyPages, "\(visited.count) were got, and more would follow")
            }
            let variables = wanted.variables
            guard !visited.contains(variables) else {
                throw AsyncIterator.failure(.loop, "the variables of the next page were there before")
            }
            let data = try await sequence.client.execute(wanted, options: sequence.options)
            visited.insert(variables)
            page = sequence.elements(data)[...]
            following = next(after: data, wanted, variables)
        }

        /// What follows, kept until what is on the page has been given.
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
