/// How the next page of an operation is found: which variables it is asked for with.
///
/// ```swift
/// graphQL.pages(BirdsQuery(), next: .cursor { $0.birds.pageInfo })
/// graphQL.pages(BirdsQuery(), next: .offset(pageSize: 20) { $0.birds.count })
/// ```
public struct GraphQLNextPage<Data: Sendable>: Sendable {
    /// Returns the variables that differ on the next page, from a page and its variables; nil after the last page.
    let following: @Sendable (_ page: Data, _ variables: [String: GraphQLVariable]) throws(GraphQLError) -> [String: GraphQLVariable]?

    /// Forward through a Relay connection: while `hasNextPage`, the variable is set to `endCursor`.
    ///
    /// - Parameters:
    ///   - variable: what the document calls the cursor. Default: `after`.
    ///   - pageInfo: where the page stands; nil ends the pages, as when what the connection belongs to is null.
    public static func cursor(
        _ variable: String = "after", pageInfo: @escaping @Sendable (Data) -> GraphQLPageInfo?
    ) -> Self {
        Self { page, _ throws(GraphQLError) in
            guard let info = pageInfo(page), info.hasNextPage else { return nil }
            return [variable: .string(try cursor(info.endCursor, "endCursor", "hasNextPage"))]
        }
    }

    /// Backward through a Relay connection: while `hasPreviousPage`, the variable is set to `startCursor`.
    public static func cursorBackward(
        _ variable: String = "before", pageInfo: @escaping @Sendable (Data) -> GraphQLPageInfo?
    ) -> Self {
        Self { page, _ throws(GraphQLError) in
            guard let info = pageInfo(page), info.hasPreviousPage else { return nil }
            return [variable: .string(try cursor(info.startCursor, "startCursor", "hasPreviousPage"))]
        }
    }

    /// By an offset: the variable grows by the number of items on the page, until a page has none or fewer than `pageSize`.
    ///
    /// - Parameters:
    ///   - variable: what the document calls the offset. It begins at the operation's own value, or 0. Default: `offset`.
    ///   - pageSize: how many items a full page has. Default: nil, pages are asked for until one is empty.
    ///   - count: how many items are on a page.
    public static func offset(_ variable: String = "offset", pageSize: Int? = nil, count: @escaping @Sendable (Data) -> Int) -> Self {
        Self { page, variables throws(GraphQLError) in
            let items = count(page)
            guard items > 0, items >= pageSize ?? 1 else { return nil }
            guard case .integer(let offset) = variables[variable] ?? .integer(0) else {
                throw .invalidOperation(Explanation("the variable “\(variable)” is an offset, and so a whole number"))
            }
            let (next, overflows) = offset.addingReportingOverflow(Int64(items))
            return overflows ? nil : [variable: .integer(next)]
        }
    }

    /// By a rule of one's own: the variables that differ on the page after this one; nil after the last.
    public static func variables(_ following: @escaping @Sendable (_ page: Data) -> [String: GraphQLVariable]?) -> Self {
        Self { page, _ throws(GraphQLError) in following(page) }
    }

    private static func cursor(_ cursor: String?, _ name: String, _ flag: String) throws(GraphQLError) -> String {
        if let cursor { return cursor }
        let failure = PagingFailure(.missingCursor, "\(flag) is true and there is no \(name): was it asked for?")
        throw .http(.pagingFailed(failure))
    }
}
