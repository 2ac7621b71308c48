internal import MartletEssentials

/// The values of an answer that holds one JSON text after another, each decoded as soon as it is there.
///
/// ```swift
/// for try await bird in client.jsonLines(.get("birds.jsonl"), as: Bird.self) { show(bird) }
/// ```
///
/// In JSON Lines each line is a value, and empty lines are passed over. In a JSON text sequence (RFC 7464) each value stands behind a
/// record separator, and one that was cut off where nobody could notice (a number or a literal without white space behind it, §2.4)
/// is refused.
///
/// A value that can't be decoded is `.decodingFailed`, which says the value's number in its coding path and has its bytes as the
/// response's body; whoever goes on asking the iterator gets the values behind it. `.responseTooLarge` (with the subject `.line`) for one
/// of more bytes than the limit, and what opening and reading the answer throw, end it. Leaving the loop closes the connection.
public struct StreamedValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A decoded value.
    public typealias Element = Value

    let opening: StreamOpening
    let separator: LineSplitter.Separator
    let decoding: ResponseDecoding<Value>
    let decoder: any BodyDecoder
    let limit: Int
    let failure: @Sendable (HTTPError) -> Failure

    /// Opens the answer at the first value that is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(values: self, pieces: PieceIterator(opening, separator, limit: limit))
    }

    /// Gives value after value.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let values: StreamedValues
        fileprivate var pieces: PieceIterator
        /// The number of values, decoded or not, before the next one.
        fileprivate var count = 0

        /// Returns the next value, or nil at the end.
        public mutating func next() async throws(Failure) -> Value? {
            do throws(HTTPError) { return try await nextValue() } catch { throw values.failure(error) }
        }

        private mutating func nextValue() async throws(HTTPError) -> Value? {
            while let piece = try await pieces.next() {
                if piece.allSatisfy(JSONTextEnd.isWhitespace) { continue }
                defer { count += 1 }
                let response = pieces.head.map { piece }
                do throws(HTTPError) {
                    guard values.separator == .line || JSONTextEnd.isCertain(piece) else {
                        let reason = "it may have been cut off: nothing stands behind its last character"
                        throw .decodingFailed(DecodingFailure(type: "\(Value.self)", reason: reason, response: response))
                    }
                    return try values.decoding.value(of: response, with: values.decoder).body
                } catch { throw error.below("[\(count)]") }
            }
            return nil
        }
    }
}

extension HTTPError {
    /// Returns a decoding error with a path before its coding path, such as `[3]`. Another error stays as it is.
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

/// Whether a JSON text is sure to be whole.
enum JSONTextEnd {
    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Objects, arrays and strings say where they end; a number or a literal must have white space behind it (RFC 7464 §2.4).
    static func isCertain(_ text: Data) -> Bool {
        guard let last = text.last else { return true }
        return isWhitespace(last) || last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == UInt8(ascii: "\"")
    }
}

extension HTTPBody {
    /// The values of a body in JSON Lines: see ``StreamedValues``.
    ///
    /// - Parameters:
    ///   - type: what each line is.
    ///   - decoder: makes the values. Default: `.json`.
    ///   - maxLineBytes: how many bytes a line may have. Default: 1 MiB.
    public func jsonLines<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: any BodyDecoder = .json, maxLineBytes limit: Int = 1 << 20
    ) -> StreamedValues<Value, HTTPError> {
        StreamedValues(opening: StreamOpening(self), separator: .line, decoding: .decodable, decoder: decoder, limit: limit) { $0 }
    }

    /// The values of a body that is a JSON text sequence (RFC 7464): see ``StreamedValues``.
    ///
    /// - Parameters:
    ///   - type: what each text is.
    ///   - decoder: makes the values. Default: `.json`.
    ///   - maxLineBytes: how many bytes a text may have. Default: 1 MiB.
    public func jsonSequence<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: any BodyDecoder = .json, maxLineBytes limit: Int = 1 << 20
    ) -> StreamedValues<Value, HTTPError> {
        StreamedValues(opening: StreamOpening(self), separator: .record, decoding: .decodable, decoder: decoder, limit: limit) { $0 }
    }
}
