internal import MartletEssentials

extension MockReply {
    /// The reply, after a wait. The double's `time` does the waiting.
    public func delayed(by duration: Duration) -> MockReply { changed { $0.delays.head = duration } }

    /// The reply with a wait between head and body. A `MockTransport` that buffers waits before it answers.
    public func bodyDelayed(by duration: Duration) -> MockReply { changed { $0.delays.body = duration } }

    /// The reply with a wait before each piece of its body but the first.
    public func piecesDelayed(by duration: Duration) -> MockReply { changed { $0.delays.piece = duration } }

    /// The reply with its body in pieces of the given sizes, of which the last one is repeated until the body ends.
    ///
    /// `MockServer` sends it in chunks (RFC 9112 §7.1). A body that is made while it is read stays as it is.
    public func chunked(_ sizes: Int...) -> MockReply { chunked(sizes) }

    /// The reply with its body in pieces of the given sizes, of which the last one is repeated until the body ends.
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

    /// The reply with fields after its body, which is then sent in chunks (RFC 9112 §7.1.2).
    public func trailers(_ fields: HTTPFields) -> MockReply { changed { $0.trailers = fields } }

    /// The reply with an interim one before it (RFC 9110 §15.2): 100, 102, 103. A `MockTransport` leaves it out.
    public func precededBy(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        changed { $0.interims.append(Interim(status: status, headers: headers)) }
    }

    /// The reply, broken off: the connection is closed, or with `reset` ended by a RST, at `moment`.
    ///
    /// A `MockTransport` throws `.networkError(.connectionLost)`. A streamed body that is cut returns its first bytes before the error.
    public func disconnecting(_ moment: Moment, reset: Bool = false) -> MockReply {
        changed { $0.disconnect = Disconnect(moment: moment, isReset: reset) }
    }

    /// The reply with `Connection: close`, after which `MockServer` closes the connection.
    public func closingConnection() -> MockReply { changed { $0.isClosing = true } }

    /// The reply without length and chunks: the end of the connection ends the body (RFC 9112 §6.3).
    public func delimitedByClose() -> MockReply { changed { $0.isDelimitedByClose = true } }

    /// The reply as soon as the request's head has come: its body is not read, nor recorded, and the connection is closed.
    ///
    /// For replies that `MockServer` was given in order or for a route whose matcher asks for no body; a handler is called with the
    /// whole request.
    public func beforeBody() -> MockReply { changed { $0.isBeforeBody = true } }

    /// The content, when it is in memory.
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
