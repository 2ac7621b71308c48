internal import MartletEssentials
internal import MartletJSON

/// A message of a WebSocket as a ``CallLog`` keeps it.
struct LoggedMessage: Sendable {
    let direction: CallMessage.Direction
    let isText: Bool
    let content: LoggedAttempt.Content

    init(_ message: CallMessage, limit: Int) {
        direction = message.direction
        isText = message.isText
        var content = LoggedAttempt.Content()
        content.append(message.content, limit: limit)
        self.content = content
    }

    /// The content with secrets masked: a text, or base64 of binary data.
    func written(_ redaction: CassetteRedaction) -> String {
        let masked = redaction.body(content.readable, type: "", isAnswer: direction == .received)
        return isText ? String(decoding: masked, as: UTF8.self) : masked.base64EncodedString()
    }
}

extension LoggedCall {
    /// The messages of a connection as browsers write them (`_webSocketMessages`), or nil for an attempt that opened none.
    ///
    /// A message belongs to the last connection that was opened before it. `_size` and `_isTruncated` are Martlet's own.
    func messages(of attempt: LoggedAttempt, _ redaction: CassetteRedaction) -> JSONValue? {
        guard info.kind == .webSocket, attempt.status == .switchingProtocols else { return nil }
        let end = attempts.first { $0.number > attempt.number && $0.status == .switchingProtocols }?.at ?? .infinity
        let messages = events.compactMap { event -> JSONValue? in
            guard case .message(let message) = event.content, event.at >= attempt.at, event.at < end else { return nil }
            var members: JSONObject = [
                "type": .string(message.direction == .sent ? "send" : "receive"),
                "time": .number(info.start.timeIntervalSince1970 + event.at), "opcode": .integer(message.isText ? 1 : 2),
                "data": .string(message.written(redaction)), "_size": .integer(Int64(message.content.size)),
            ]
            if message.content.isTruncated { members["_isTruncated"] = .bool(true) }
            return .object(members)
        }
        return .array(JSONArray(messages))
    }
}
