extension HTTPResponse {
    /// The links of the response's `Link` fields, in order, resolved against the URL that answered (RFC 8288).
    ///
    /// ```swift
    /// let next = response.links.first { $0.isOwn && $0.isRelated(as: "next") }?.url
    /// ```
    public var links: [WebLink] {
        headers.values(for: .link).flatMap { WebLink.read($0, from: metadata.url) }
    }

    /// Where the first link of a relation leads whose context is this response; nil when there is none.
    public func link(_ relation: String) -> WebLink? {
        links.first { $0.isOwn && $0.isRelated(as: relation) }
    }
}
