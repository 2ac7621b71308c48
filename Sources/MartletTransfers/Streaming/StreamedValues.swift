internal import MartletEssentials

extension HTTPBody {
    /// Returns a sequence of the values of a body in JSON Lines, each decoded as soon as its line has arrived.
    ///
    /// Each line is a value, and empty lines are ignored.
    ///
    /// A value that can't be decoded throws `.decodingFailed` with its number in the coding path and its bytes as the response's body; the
    /// next call of the iterator returns the following value. These errors end the sequence: `.responseTooLarge` (with the subject `.line`)
    /// for a value that exceeds the limit, and the errors of reading the body. Leaving the loop closes the connection.
    ///
    /// - Parameters:
    ///   - type: The type of a line.
    ///   - decoder: The decoder of the values. Default: `.json`.
    ///   - limit: The maximum size of a line in bytes. Default: 1 MiB.
    public func jsonLines<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: any BodyDecoder = .json, maxLineBytes limit: Int = 1 << 20
    ) -> ValueSequence<Value, HTTPError> {
        StreamedValues(opening: StreamOpening(self), separator: .line, decoding: .decodable, decoder: decoder, limit: limit).sequence { $0 }
    }

    /// Returns a sequence of the values of a body that is a JSON text sequence (RFC 7464), each decoded when the next separator or the end
    /// of the body has arrived.
    ///
    /// Each value follows a record separator. A number or a literal without white space after it may be truncated (§2.4) and throws
    /// `.decodingFailed`. In all other respects it works like ``jsonLines(as:decoder:maxLineBytes:)``.
    ///
    /// - Parameters:
    ///   - type: The type of a text.
    ///   - decoder: The decoder of the values. Default: `.json`.
    ///   - limit: The maximum size of a text in bytes. Default: 1 MiB.
    public func jsonSequence<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: any BodyDecoder = .json, maxLineBytes limit: Int = 1 << 20
    ) -> ValueSequence<Value, HTTPError> {
        StreamedValues(opening: StreamOpening(self), separator: .record, decoding: .decodable, decoder: decoder, limit: limit)
            .sequence { $0 }
    }
}

/// The values of a response that consists of consecutive JSON texts.
struct StreamedValues<Value: Sendable>: Sendable {
    let opening: StreamOpening
    let separator: LineSplitter.Separator
    let decoding: ResponseDecoding<Value>
    let decoder: any BodyDecoder
    let limit: Int

    /// Returns the sequence of the values. Requesting the first one opens the response.
    func sequence<Failure: Error>(failure: @escaping @Sendable (HTTPError) -> Failure) -> ValueSequence<Value, Failure> {
        ValueSequence(observing: opening.observe, failure: failure) { reading in
            var reader = ValueReader(values: self, pieces: PieceIterator(opening, reading, separator, limit: limit))
            return { () async throws(HTTPError) in try await reader.next() }
        }
    }
}

/// Reads the values of a response one after the other.
private struct ValueReader<Value: Sendable> {
    let values: StreamedValues<Value>
    var pieces: PieceIterator
    /// The number of values, decoded or not, before the next one.
    private var count = 0

    init(values: StreamedValues<Value>, pieces: PieceIterator) {
        self.values = values
        self.pieces = pieces
    }

    mutating func next() async throws(HTTPError) -> Value? {
        while let piece = try await pieces.next() {
            if piece.allSatisfy(JSONTextEnd.isWhitespace) { continue }
            defer { count += 1 }
            let response = pieces.head.map { piece }
            do throws(HTTPError) {
                guard values.separator == .line || JSONTextEnd.isCertain(piece) else {
                    let reason = "it may have been cut off: no white space follows its last character"
                    throw .decodingFailed(DecodingFailure(type: "\(Value.self)", reason: reason, response: response))
                }
                return try values.decoding.value(of: response, with: values.decoder).body
            } catch { throw error.below("[\(count)]") }
        }
        return nil
    }
}

extension HTTPError {
    /// Returns a decoding error with `path`, such as `[3]`, before its coding path. Other errors are returned unchanged.
    func below(_ path: String) -> HTTPError {
        guard case .decodingFailed(let failure) = self else { return self }
        let rest = failure.codingPath.isEmpty || failure.codingPath.hasPrefix("[") ? failure.codingPath : "." + failure.codingPath
        var context = failure.context
        context.request = context.request ?? failure.response.metadata.request
        return .decodingFailed(
            DecodingFailure(
                type: failure.type, codingPath: path + rest, reason: failure.reason, response: failure.response, context: context))
    }
}

/// Decides whether a JSON text is certainly complete.
enum JSONTextEnd {
    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Returns whether the end of the text is certain. Objects, arrays and strings have a closing character, but a number or a literal must
    /// be followed by white space (RFC 7464 §2.4).
    static func isCertain(_ text: Data) -> Bool {
        guard let last = text.last else { return true }
        return isWhitespace(last) || last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == UInt8(ascii: "\"")
    }
}
