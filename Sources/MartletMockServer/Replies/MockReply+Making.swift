public import MartletEssentials

// MARK: - Responses

extension MockReply {
    /// Returns a reply with this text as a JSON body, without checking it. `Content-Type` is `application/json` unless `headers` set it.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// Returns a reply with this status and no body.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers)
    }

    /// Returns a reply with bytes as the body. A `Content-Type` in `headers` takes precedence over `contentType`.
    public static func data(
        _ data: Data, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> MockReply {
        var headers = headers
        if let contentType { headers.addMissing([.contentType: contentType]) }
        return MockReply(status: status, headers: headers, content: .data(data))
    }

    /// Returns a reply with a text in UTF-8 as the body. `Content-Type` is `text/plain; charset=utf-8` unless `headers` set it.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Returns a reply whose body arrives in these pieces, one after the other. `MockServer` sends one chunk for each piece (RFC 9112
    /// §7.1).
    public static func stream(_ pieces: [Data], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers, content: .pieces(pieces.filter { !$0.isEmpty }))
    }

    /// Returns a reply whose body arrives in these pieces of text.
    public static func stream(_ pieces: String..., status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces, status: status, headers: headers)
    }

    /// Returns a reply whose body arrives in these pieces of text.
    @_disfavoredOverload
    public static func stream(_ pieces: [String], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces.map { Data($0.utf8) }, status: status, headers: headers)
    }

    /// Returns a reply whose body a closure creates for each use, and which is produced while it is read.
    ///
    /// `MockServer` requests the next chunk when the last one has been passed to the socket, so that a client that does not read stops it.
    /// If the body throws an error, the connection breaks.
    public static func stream(
        status: HTTPStatus = 200, headers: HTTPFields = [:], body: @escaping @Sendable () -> HTTPBody
    ) -> MockReply {
        MockReply(status: status, headers: headers, content: .stream(body))
    }
}

// MARK: - No response

extension MockReply {
    /// Returns a reply with which a `MockTransport` throws an error in place of a response; `MockServer` responds with a 500 that says so.
    public static func failure(_ error: HTTPError) -> MockReply { MockReply(.failure(error)) }

    /// Closes the connection without a response. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var disconnect: MockReply { MockReply().disconnecting(.beforeHead) }

    /// Resets the connection (RST) without a response. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var reset: MockReply { MockReply().disconnecting(.beforeHead, reset: true) }

    /// Sends nothing for as long as the client waits. A `MockTransport` waits until its task is cancelled.
    public static var silence: MockReply { MockReply(.silence) }

    /// Writes these bytes to the socket in place of a response, and then closes the connection; only for `MockServer`.
    ///
    /// A `MockTransport` throws `.invalidRequest`.
    public static func raw(_ bytes: Data) -> MockReply { MockReply(.raw(bytes)) }

    /// Writes this text to the socket in place of a response, and then closes the connection; only for `MockServer`.
    ///
    /// A `MockTransport` throws `.invalidRequest`.
    public static func raw(_ text: String) -> MockReply { raw(Data(text.utf8)) }
}
