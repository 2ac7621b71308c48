public import MartletEssentials

// MARK: - Responses

extension MockReply {
    /// A JSON document, as `application/json` unless `headers` say otherwise.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A response without content.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers)
    }

    /// Bytes. A `Content-Type` among the headers wins over `contentType`.
    public static func data(
        _ data: Data, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> MockReply {
        var headers = headers
        if let contentType { headers.addMissing([.contentType: contentType]) }
        return MockReply(status: status, headers: headers, content: .data(data))
    }

    /// A text in UTF-8, as `text/plain; charset=utf-8` unless `headers` say otherwise.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// A body that comes in the given pieces. `MockServer` sends it in chunks (RFC 9112 §7.1), one for each piece.
    public static func stream(_ pieces: [Data], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers, content: .pieces(pieces.filter { !$0.isEmpty }))
    }

    /// A body that comes in the given pieces of text.
    public static func stream(_ pieces: String..., status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces, status: status, headers: headers)
    }

    /// A body that comes in the given pieces of text.
    @_disfavoredOverload
    public static func stream(_ pieces: [String], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces.map { Data($0.utf8) }, status: status, headers: headers)
    }

    /// A body that is made while it is read, each time anew.
    ///
    /// `MockServer` asks for the next chunk when the last one has been handed to the socket, so that a client that does not read
    /// stops it. A body that fails breaks the connection.
    public static func stream(
        status: HTTPStatus = 200, headers: HTTPFields = [:], body: @escaping @Sendable () -> HTTPBody
    ) -> MockReply {
        MockReply(status: status, headers: headers, content: .stream(body))
    }
}

// MARK: - No response

extension MockReply {
    /// An error instead of a response. For `MockTransport`; `MockServer` answers with a 500 that says so.
    public static func failure(_ error: HTTPError) -> MockReply { MockReply(.failure(error)) }

    /// The connection is closed without an answer. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var disconnect: MockReply { MockReply().disconnecting(.beforeHead) }

    /// The connection is reset (RST) without an answer. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var reset: MockReply { MockReply().disconnecting(.beforeHead, reset: true) }

    /// No answer at all, for as long as the client waits. A `MockTransport` waits until its task is cancelled.
    public static var silence: MockReply { MockReply(.silence) }

    /// Bytes that are written to the socket as they are, after which the connection is closed.
    ///
    /// For `MockServer`: a `MockTransport` throws `.invalidRequest`.
    public static func raw(_ bytes: Data) -> MockReply { MockReply(.raw(bytes)) }

    /// A text that is written to the socket as it is, after which the connection is closed.
    ///
    /// For `MockServer`: a `MockTransport` throws `.invalidRequest`.
    public static func raw(_ text: String) -> MockReply { raw(Data(text.utf8)) }
}
