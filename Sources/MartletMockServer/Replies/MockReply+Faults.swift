internal import MartletEssentials
internal import MartletSystem

extension MockReply {
    /// A pause within the body.
    struct Stall: Sendable {
        /// The number of bytes of the body before the pause.
        let after: Int
        /// The length of the pause, or nil for a pause without an end.
        let duration: Duration?
    }

    /// Slow sending: a number of bytes, a wait, and so on.
    struct Drip: Sendable {
        let bytes: Int
        let wait: Duration
    }

    mutating func sayLength(offBy difference: Int) {
        guard case .response = kind, difference != 0 else { return }
        let actual = wholeContent?.count
        guard let length = headers[.contentLength].flatMap({ Int($0) }) ?? actual else { return }
        headers.remove(.transferEncoding)
        headers[.contentLength] = "\(max(0, difference > 0 && length > Int.max - difference ? Int.max : length + difference))"
        if difference > 0, disconnect == nil, let actual { disconnect = Disconnect(moment: .withinBody(after: actual), isReset: false) }
    }

    /// Replaces the content with damaged gzip. `damage` receives the content and whether it already has a content coding.
    mutating func damageGzip(_ damage: @escaping @Sendable (Data, _ isCoded: Bool) -> Data) {
        guard case .response = kind else { return }
        let isCoded = headers.contains(.contentEncoding)
        let damaged = { @Sendable (content: Data) in damage(content, isCoded) }
        if !isCoded { headers[.contentEncoding] = "gzip" }
        // A length in the reply is that of the content before coding.
        headers.remove(.contentLength)
        switch content {
        case .data(let data): content = .data(damaged(data))
        case .pieces(let pieces): content = .pieces([damaged(pieces.reduce(into: Data()) { $0.append($1) })])
        case .stream(let make): content = .stream { MockReply.body(of: make(), changedBy: damaged) }
        }
    }

    /// Returns a body that is changed as a whole and sent in one piece.
    private static func body(of source: HTTPBody, changedBy change: @escaping @Sendable (Data) -> Data) -> HTTPBody {
        let isRead = Locked(false)
        return HTTPBody {
            let wasRead = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead
            }
            return wasRead ? nil : change(try await source.collect())
        }
    }
}
