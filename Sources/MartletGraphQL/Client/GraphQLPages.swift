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

/// The rule that finds the next page of an operation by the variables that change.
///
/// ```swift
/// graphQL.pages(BirdsQuery(), next: .cursor { $0.birds.pageInfo })
/// graphQL.pages(BirdsQuery(), next: .offset(pageSize: 20) { $0.birds.nodes.count })
/// ```
public struct GraphQLNextPage<Data: Sendable>: Sendable {
    /// Returns the variables that differ on the next page, from a page and its variables; nil after the last page.
    let following: @Sendable (_ page: Data, _ variables: [String: GraphQLVariable]) throws(GraphQLError) -> [String: GraphQLVariable]?

    /// Goes forward through a Relay connection by setting a variable to the `endCursor` of each page, while `hasNextPage` is true.
    ///
    /// - Parameters:
    ///   - variable: The name of the cursor variable in the document. Default: `after`.
    ///   - pageInfo: Returns the position of a page. Return nil to end the pages, for example if the parent of the connection is null.
    public static func cursor(
        _ variable: String = "after", pageInfo: @escaping @Sendable (Data) -> GraphQLPageInfo?
    ) -> Self {
        Self { page, _ throws(GraphQLError) in
            guard let info = pageInfo(page), info.hasNextPage else { return nil }
            return [variable: .string(try cursor(info.endCursor, "endCursor", "hasNextPage"))]
        }
    }

    /// Goes backward through a Relay connection by setting a variable to the `startCursor` of each page, while `hasPreviousPage` is true.
    ///
    /// - Parameters:
    ///   - variable: The name of the cursor variable in the document. Default: `before`.
    ///   - pageInfo: Returns the position of a page. Return nil to end the pages.
    public static func cursorBackward(
        _ variable: String = "before", pageInfo: @escaping @Sendable (Data) -> GraphQLPageInfo?
    ) -> Self {
        Self { page, _ throws(GraphQLError) in
            guard let info = pageInfo(page), info.hasPreviousPage else { return nil }
            return [variable: .string(try cursor(info.startCursor, "startCursor", "hasPreviousPage"))]
        }
    }

    /// Increases a variable by the number of items on each page, until a page is empty or has fewer items than `pageSize`.
    ///
    /// - Parameters:
    ///   - variable: The name of the offset variable in the document. It starts at the operation's own value, or at 0. Default: `offset`.
    ///   - pageSize: The number of items on a full page. Default: nil, pages are requested until one is empty.
    ///   - count: Returns the number of items on a page.
    public static func offset(_ variable: String = "offset", pageSize: Int? = nil, count: @escaping @Sendable (Data) -> Int) -> Self {
        Self { page, variables throws(GraphQLError) in
            let items = count(page)
            guard items > 0, items >= pageSize ?? 1 else { return nil }
            guard case .integer(let offset) = variables[variable] ?? .integer(0) else {
                throw .invalidOperation(Explanation("the variable “\(variable)” is used as an offset and must be an integer"))
            }
            let (next, overflows) = offset.addingReportingOverflow(Int64(items))
            return overflows ? nil : [variable: .integer(next)]
        }
    }

    /// Finds the next page with a closure, which returns the variables that change, or nil after the last page.
    ///
    /// - Parameter following: Returns the variables that differ on the page after this one, or nil after the last page.
    public static func variables(_ following: @escaping @Sendable (_ page: Data) -> [String: GraphQLVariable]?) -> Self {
        Self { page, _ throws(GraphQLError) in following(page) }
    }

    private static func cursor(_ cursor: String?, _ name: String, _ flag: String) throws(GraphQLError) -> String {
        if let cursor { return cursor }
        let failure = PagingFailure(
            .missingCursor, "the page has \(flag) but no \(name): add \(name) to the selection of pageInfo in the document")
        throw .http(.pagingFailed(failure))
    }
}
