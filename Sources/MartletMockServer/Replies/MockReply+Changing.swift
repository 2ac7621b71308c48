internal import MartletEssentials

extension MockReply {
    /// Returns the reply with a delay before its head, measured by the time source of the test double.
    public func delayed(by duration: Duration) -> MockReply { changed { $0.delays.head = duration } }

    /// Returns the reply with a delay between its head and its body. A `MockTransport` that buffers waits before it returns the response.
    public func bodyDelayed(by duration: Duration) -> MockReply { changed { $0.delays.body = duration } }

    /// Returns the reply with a delay before each piece of its body except the first.
    public func piecesDelayed(by duration: Duration) -> MockReply { changed { $0.delays.piece = duration } }

    /// Returns the reply with its body in pieces of these sizes in bytes, of which the last is repeated until the body ends.
    ///
    /// `MockServer` sends one chunk for each piece (RFC 9112 §7.1). A body that is created while it is read is not changed.
    public func chunked(_ sizes: Int...) -> MockReply { chunked(sizes) }

    /// Returns the reply with its body in pieces of these sizes in bytes, of which the last is repeated until the body ends.
    public func chunked(_ sizes: [Int]) -> MockReply {
        changed { reply in
            guard let whole = reply.wholeContent else { return }
            var pieces: [Data] = []
            var rest = whole[...]
            while !rest.isEmpty {
                let size = pieces.count < sizes.count ? sizes[pieces.count] : sizes.last ?? rest.count
                pieces.append(Data(rest.prefix(max(1, size))))
                rest = rest.dropFirst(max(1, size))
            }
            reply.content = .pieces(pieces)
        }
    }

    /// Returns the reply with trailer fields after its body, which is then sent in chunks (RFC 9112 §7.1.2).
    public func trailers(_ fields: HTTPFields) -> MockReply { changed { $0.trailers = fields } }

    /// Returns the reply with an interim response before it, with the status 100, 102 or 103 (RFC 9110 §15.2). A `MockTransport` omits it.
    public func precededBy(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        changed { $0.interims.append(Interim(status: status, headers: headers)) }
    }

    /// Returns the reply with a connection that is closed at `moment` of the response, or reset (RST) if `reset` is true.
    ///
    /// A `MockTransport` throws `.networkError(.connectionLost)`. A streamed body returns its first bytes before the error.
    public func disconnecting(_ moment: Moment, reset: Bool = false) -> MockReply {
        changed { $0.disconnect = Disconnect(moment: moment, isReset: reset) }
    }

    /// Returns a reply that `MockServer` sends with `Connection: close` before it closes the connection. A `MockTransport` ignores this.
    public func closingConnection() -> MockReply { changed { $0.isClosing = true } }

    /// Returns the reply without `Content-Length` and chunks, so that the end of the connection ends the body (RFC 9112 §6.3).
    public func delimitedByClose() -> MockReply { changed { $0.isDelimitedByClose = true } }

    /// Returns the reply for sending as soon as the request's head has arrived, without reading the request's body. The body is not
    /// recorded, and the connection is closed.
    ///
    /// For enqueued replies of a `MockServer`, and for routes whose matcher does not compare the body. A handler is called only with the
    /// complete request.
    public func beforeBody() -> MockReply { changed { $0.isBeforeBody = true } }

    /// The content if it is in memory, or nil.
    var wholeContent: Data? {
        switch content {
        case .data(let data): data
        case .pieces(let pieces): pieces.reduce(into: Data()) { $0.append($1) }
        case .stream: nil
        }
    }

    func changed(_ change: (inout MockReply) -> Void) -> MockReply {
        var reply = self
        change(&reply)
        return reply
    }
}
