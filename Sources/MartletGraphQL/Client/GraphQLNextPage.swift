/// The rule that finds the next page of an operation: which variables change.
///
/// ```swift
/// graphQL.pages(BirdsQuery(), next: .cursor { $0.birds.pageInfo })
/// graphQL.pages(BirdsQuery(), next: .offset(pageSize: 20) { $0.birds.nodes.count })
/// ```
public struct GraphQLNextPage<Data: Sendable>: Sendable {
    /// Returns the variables that differ on the next page, from a page and its variables; nil after the last page.
    let following: @Sendable (_ page: Data, _ variables: [String: GraphQLVariable]) throws(GraphQLError) -> [String: GraphQLVariable]?

    /// Forward through a Relay connection: while `hasNextPage`, the variable is set to `endCursor`.
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

    /// Backward through a Relay connection: while `hasPreviousPage`, the variable is set to `startCursor`.
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

    /// By offset: the variable grows by the number of items on each page, until a page is empty or has fewer items than `pageSize`.
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

    /// By your own rule.
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
