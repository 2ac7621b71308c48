public import MartletEssentials

/// The rule that finds the next page, in the response to the current one or by counting.
///
/// ```swift
/// let repos = client.pages(ListRepos(), next: .link)                                  // Link: <…?page=2>; rel="next" (RFC 8288)
/// let users = client.pages(SearchUsers(), next: .cursor(\.next, query: "cursor"))     // {"users": […], "next": "dXNl"}
/// let found = client.pages(SearchBirds(), next: .url(\.next))                         // {"results": […], "next": "https://…"}
/// let birds = client.pages(ListBirds(), next: .pageNumber(query: "page"))             // ?page=1, ?page=2, … until one is empty
/// let more = client.pages(ListBirds(), next: .offset(query: "offset"))                // ?offset=0, ?offset=50, … by the received items
/// ```
public struct NextPage<Page: Sendable>: Sendable {
    /// The position of the first page.
    var start = PagePosition.start
    /// Creates the body of a request from a cursor.
    var body: (@Sendable (String) -> RequestBody)?
    /// Returns the position of the page after the one at `position`, or nil after the last page.
    let after: @Sendable (_ response: HTTPResponse<Page>, _ position: PagePosition) throws(HTTPError) -> PagePosition?

    // MARK: By URL

    /// Follows the link with the relation `next` in the response's `Link` fields (RFC 8288); a response without it is the last page.
    public static var link: Self { link("next") }

    /// Follows the link with the given relation in the response's `Link` fields, such as `prev` to go backwards.
    ///
    /// Links with an anchor at another resource are ignored (RFC 8288 §3.2). `url(_:)` documents which targets are allowed.
    public static func link(_ relation: String) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let link = response.link(relation) else { return nil }
            return try LinkedPage.position(of: link.target, in: response)
        }
    }

    /// Follows a URL that the closure finds in a page, absolute or relative to the response's URL; a page without one is the last.
    ///
    /// The URL is requested with the endpoint's method, header fields and body. If its origin differs from that of the response or of an
    /// earlier page, all credentials are removed, as for a redirect, and an `AuthInterceptor` adds its token only if the token is for all
    /// of these origins. A URL from `https` to `http`, with another scheme, or with a user name or password throws
    /// `.pagingFailed(.refusedTarget)`.
    public static func url(_ next: @escaping @Sendable (Page) -> String?) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let text = next(response.body), !text.isEmpty else { return nil }
            return try LinkedPage.position(of: text, in: response)
        }
    }

    /// Follows a URL that the closure finds in a page; a page without one is the last. See ``url(_:)-(_)``.
    @_disfavoredOverload
    public static func url(_ next: @escaping @Sendable (Page) -> URL?) -> Self {
        url { (page: Page) -> String? in next(page)?.relativeString }
    }

    // MARK: By cursor

    /// Sends the cursor that the closure finds in a page back in the query; a page without a cursor, or with an empty one, is the last.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Page) -> Cursor?, query name: String
    ) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let cursor = next(response.body)?.description, !cursor.isEmpty else { return nil }
            return .query(name, cursor)
        }
    }

    /// Sends the cursor that the first closure finds in a page back in a body that the second creates; a page without a cursor is the last.
    /// An empty cursor counts as none.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Page) -> Cursor?, body: @escaping @Sendable (String) -> RequestBody
    ) -> Self {
        Self(body: body) { response, _ throws(HTTPError) in
            guard let cursor = next(response.body)?.description, !cursor.isEmpty else { return nil }
            return PagePosition(.body(cursor))
        }
    }

    // MARK: By number

    /// Sends page numbers in the query, counted up until `isLast` returns true for a page.
    ///
    /// After the largest `Int`, the sequence throws `.pagingFailed(.refusedTarget)`.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - first: The number of the first page, which is also sent. Default: 1.
    ///   - isLast: Returns whether a page is the last, for example because it is empty or says so.
    public static func pageNumber(
        query name: String, from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool
    ) -> Self {
        Self(start: .query(name, first)) { response, position throws(HTTPError) in
            isLast(response.body) ? nil : .query(name, try LinkedPage.sum(position.number(name) ?? first, 1, in: response))
        }
    }

    /// Sends an offset in the query, increased by the number of items on each page; a page without items is the last.
    ///
    /// A server may return fewer items than requested. An offset beyond the largest `Int` throws `.pagingFailed(.refusedTarget)`.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - first: The first offset, which is also sent. Default: 0.
    ///   - count: Returns the number of items on a page.
    public static func offset(
        query name: String, from first: Int = 0, count: @escaping @Sendable (Page) -> Int
    ) -> Self {
        Self(start: .query(name, first)) { response, position throws(HTTPError) in
            let count = count(response.body)
            return count <= 0 ? nil : .query(name, try LinkedPage.sum(position.number(name) ?? first, count, in: response))
        }
    }

    // MARK: By a rule of one's own

    /// Finds the next page with a closure, which returns its position, or nil after the last page.
    ///
    /// A URL counts as the server's choice, with the restrictions of `url(_:)`.
    public static func custom(
        from start: PagePosition = .start, _ next: @escaping @Sendable (HTTPResponse<Page>) throws(HTTPError) -> PagePosition?
    ) -> Self {
        Self(start: start) { response, _ throws(HTTPError) in
            guard let position = try next(response) else { return nil }
            guard case .url(let url) = position.target else { return position }
            return try LinkedPage.position(of: url.absoluteString, in: response)
        }
    }
}

extension NextPage where Page: Collection {
    /// Sends page numbers in the query, counted up until a page is empty.
    public static func pageNumber(query name: String, from first: Int = 1) -> Self {
        pageNumber(query: name, from: first) { $0.isEmpty }
    }

    /// Sends an offset in the query, increased by the number of elements on each page, until a page is empty. A server may return fewer
    /// than requested.
    public static func offset(query name: String, from first: Int = 0) -> Self {
        offset(query: name, from: first) { $0.count }
    }
}

extension PagePosition {
    /// Returns the number in a query item of this position.
    fileprivate func number(_ name: String) -> Int? {
        guard case .query(let items) = target else { return nil }
        return items.first { $0.name == name }.flatMap { Int($0.value) }
    }
}

/// Checks the next page that a server names, with the rules for redirects.
enum LinkedPage {
    /// Returns the position of a URL in a response. Throws `.pagingFailed(.refusedTarget)` if it must not be requested.
    static func position<Body>(of reference: String, in response: HTTPResponse<Body>) throws(HTTPError) -> PagePosition {
        let request = response.metadata.request
        guard let source = request?.url ?? URLReference.absolute(reference), let url = URLReference.resolve(reference, against: source)
        else {
            throw refused("it is not a URL: \(Redaction.address(reference, limit: 200))", request)
        }
        if let problem = RedirectDecision.problem(of: url, from: source, named: "link") { throw refused(problem.text, request) }
        let passed = (request?.context ?? RequestContext()).passedOrigins(naming: url, from: source)
        return PagePosition(.url(URLReference.withoutFragment(url)), passed: passed)
    }

    /// Returns the sum. Both numbers may come from the server, so an overflow throws `.pagingFailed(.refusedTarget)`.
    static func sum<Body>(_ number: Int, _ count: Int, in response: HTTPResponse<Body>) throws(HTTPError) -> Int {
        let (sum, isTooLarge) = number.addingReportingOverflow(count)
        guard !isTooLarge else { throw refused("\(number) + \(count) exceeds the largest integer", response.metadata.request) }
        return sum
    }

    private static func refused(_ why: String, _ request: HTTPRequest?) -> HTTPError {
        .pagingFailed(PagingFailure(.refusedTarget, why, context: ErrorContext(request: request, stage: .decoding)))
    }
}
