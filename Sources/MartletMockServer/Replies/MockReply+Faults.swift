internal import MartletEssentials
internal import MartletSystem

extension MockReply {
    /// A stop within the content.
    struct Stall: Sendable {
        /// After so many bytes of the content.
        let after: Int
        /// nil for ever.
        let duration: Duration?
    }

    /// A way of sending: so many bytes, a wait, so many bytes.
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

    /// Puts a damaged gzip in the place of the content: `damage` is given the content and whether it is coded already.
    mutating func damageGzip(_ damage: @escaping @Sendable (Data, _ isCoded: Bool) -> Data) {
        guard case .response = kind else { return }
        let isCoded = headers.contains(.contentEncoding)
        let damaged = { @Sendable (content: Data) in damage(content, isCoded) }
        if !isCoded { headers[.contentEncoding] = "gzip" }
        // A length that the reply says is that of what was not coded.
        headers.remove(.contentLength)
        switch content {
        case .data(let data): content = .data(damaged(data))
        case .pieces(let pieces): content = .pieces([damaged(pieces.reduce(into: Data()) { $0.append($1) })])
        case .stream(let make): content = .stream { MockReply.body(of: make(), changedBy: damaged) }
        }
    }

    /// A body that comes in one piece, changed as a whole.
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
