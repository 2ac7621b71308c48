public import MartletEssentials

/// How the next page is found: a rule for what an API says in its answers.
///
/// ```swift
/// client.pages(.repos, next: .link)                                   // Link: <…?page=2>; rel="next" (RFC 8288)
/// client.pages(.users, next: .cursor(\.nextCursor, query: "cursor"))  // {"users": […], "nextCursor": "dXNl"}
/// client.pages(.orders, next: .url(\.next))                           // {"results": […], "next": "https://…"}
/// client.pages(.posts, next: .pageNumber(query: "page"))              // ?page=1, ?page=2, … until one is empty
/// client.pages(.posts, next: .offset(query: "offset"))                // ?offset=0, ?offset=50, … by what came
/// ```
public struct NextPage<Page: Sendable>: Sendable {
    /// The first page.
    var start = PagePosition.start
    /// Makes the body of a request for the page of a cursor.
    var body: (@Sendable (String) -> RequestBody)?
    /// The page after an answer to `position`; nil when it was the last one.
    let after: @Sendable (_ response: HTTPResponse<Page>, _ position: PagePosition) throws(HTTPError) -> PagePosition?

    // MARK: By URL

    /// The target of the answer's link with the relation `next` (RFC 8288); without one it was the last page.
    public static var link: Self { link("next") }

    /// The target of the answer's link of another relation: `prev`, to go backwards.
    ///
    /// Links with an anchor that leads elsewhere are others' (RFC 8288 §3.2). Where the target may lead: see ``url(_:)``.
    public static func link(_ relation: String) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let link = response.link(relation) else { return nil }
            return try LinkedPage.position(of: link.target, in: response)
        }
    }

    /// A URL that the answer's body has, in full or relative to the one that answered; without one it was the last page.
    ///
    /// Asked for with the endpoint's method, fields and body. When it is of another origin than that which answered, or one of the
    /// pages before came from another, all fields with credentials stay behind, as with a redirect, and an `AuthInterceptor` sends its
    /// token only when it is for all of these origins. From `https` to `http`, to another scheme, and with a user's name it is
    /// `.pagingFailed(.refusedTarget)`.
    public static func url(_ next: @escaping @Sendable (Page) -> String?) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let text = next(response.body), !text.isEmpty else { return nil }
            return try LinkedPage.position(of: text, in: response)
        }
    }

    /// A URL that the answer's body has: see ``url(_:)-(_)``.
    @_disfavoredOverload
    public static func url(_ next: @escaping @Sendable (Page) -> URL?) -> Self {
        url { (page: Page) -> String? in next(page)?.relativeString }
    }

    // MARK: By cursor

    /// A cursor that the answer has, sent back in the query; nil or an empty text in its place, and it was the last page.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Page) -> Cursor?, query name: String
    ) -> Self {
        Self { response, _ throws(HTTPError) in
            guard let cursor = next(response.body)?.description, !cursor.isEmpty else { return nil }
            return .query(name, cursor)
        }
    }

    /// A cursor that the answer has, sent back in a body that `body` makes of it.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ next: @escaping @Sendable (Page) -> Cursor?, body: @escaping @Sendable (String) -> RequestBody
    ) -> Self {
        Self(body: body) { response, _ throws(HTTPError) in
            guard let cursor = next(response.body)?.description, !cursor.isEmpty else { return nil }
            return PagePosition(.body(cursor))
        }
    }

    // MARK: By number

    /// Pages with numbers, of which the one that `isLast` holds for is the last: an empty one, or one that says so.
    ///
    /// After the largest `Int` comes `.pagingFailed(.refusedTarget)`.
    ///
    /// - Parameters:
    ///   - name: the query item.
    ///   - first: the number of the first page, which is sent too. Default: 1.
    ///   - isLast: whether nothing follows.
    public static func pageNumber(
        query name: String, from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool
    ) -> Self {
        Self(start: .query(name, first)) { response, position throws(HTTPError) in
            isLast(response.body) ? nil : .query(name, try LinkedPage.sum(position.number(name) ?? first, 1, in: response))
        }
    }

    /// Offsets, which go on by as many items as came: a server may give fewer than it was asked for. A page without any is the last.
    ///
    /// An offset beyond the largest `Int` is `.pagingFailed(.refusedTarget)`.
    ///
    /// - Parameters:
    ///   - name: the query item.
    ///   - first: the first offset, which is sent too. Default: 0.
    ///   - count: how many items a page has.
    public static func offset(
        query name: String, from first: Int = 0, count: @escaping @Sendable (Page) -> Int
    ) -> Self {
        Self(start: .query(name, first)) { response, position throws(HTTPError) in
            let count = count(response.body)
            return count <= 0 ? nil : .query(name, try LinkedPage.sum(position.number(name) ?? first, count, in: response))
        }
    }

    // MARK: By a rule of one's own

    /// What a closure makes of an answer: the next position, or nil when it was the last page.
    ///
    /// A URL is taken for the server's choice, with the rules of ``url(_:)``.
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
    /// Pages with numbers, of which an empty one is the last.
    public static func pageNumber(query name: String, from first: Int = 1) -> Self {
        pageNumber(query: name, from: first) { $0.isEmpty }
    }

    /// Offsets, which go on by as many items as came: a server may give fewer than it was asked for. A page without any is the last.
    public static func offset(query name: String, from first: Int = 0) -> Self {
        offset(query: name, from: first) { $0.count }
    }
}

extension PagePosition {
    /// The number that a query item has here.
    fileprivate func number(_ name: String) -> Int? {
        guard case .query(let items) = target else { return nil }
        return items.first { $0.name == name }.flatMap { Int($0.value) }
    }
}

/// Where a server's own words lead: a pure decision, with the rules of redirects.
enum LinkedPage {
    /// The position of a reference in an answer. Throws `.pagingFailed(.refusedTarget)`.
    static func position<Body>(of reference: String, in response: HTTPResponse<Body>) throws(HTTPError) -> PagePosition {
        let request = response.metadata.request
        guard let source = request?.url ?? URL(string: reference), let url = URLReference.resolve(reference, against: source) else {
            throw refused("it is no URL: \(Redaction.address(reference, limit: 200))", request)
        }
        if let problem = RedirectDecision.problem(of: url, from: source, named: "link") { throw refused(problem, request) }
        var passed = request?.context.passedOrigins ?? []
        if let origin = Origin(source), origin != Origin(url), !passed.contains(origin) { passed.append(origin) }
        return PagePosition(.url(URLReference.withoutFragment(url)), passed: passed)
    }

    /// Where counting on leads: the server may have said both. Throws `.pagingFailed(.refusedTarget)` past the largest number.
    static func sum<Body>(_ number: Int, _ count: Int, in response: HTTPResponse<Body>) throws(HTTPError) -> Int {
        let (sum, isTooLarge) = number.addingReportingOverflow(count)
        guard !isTooLarge else { throw refused("\(number) and \(count) more is too large a number", response.metadata.request) }
        return sum
    }

    private static func refused(_ why: String, _ request: HTTPRequest?) -> HTTPError {
        .pagingFailed(PagingFailure(.refusedTarget, why, context: ErrorContext(request: request, stage: .decoding)))
    }
}
