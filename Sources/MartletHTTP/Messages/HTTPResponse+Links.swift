extension HTTPResponse {
    /// The links of the `Link` fields (RFC 8288), in order, resolved against the response's URL.
    ///
    /// ```swift
    /// let next = response.links.first { $0.isOwn && $0.isRelated(as: "next") }?.url
    /// ```
    public var links: [WebLink] {
        headers.values(for: .link).flatMap { WebLink.read($0, from: metadata.url) }
    }

    /// Returns the first link with this relation from the resource of this response, or nil if there is none.
    public func link(_ relation: String) -> WebLink? {
        links.first { $0.isOwn && $0.isRelated(as: relation) }
    }
}
