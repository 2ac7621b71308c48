internal import MartletEssentials

/// The elements of a JSON array in a response, each decoded as soon as its bytes have arrived.
///
/// ```swift
/// for try await bird in client.elements(.get("birds"), as: Bird.self) { show(bird) }
/// for try await bird in client.elements(.get("search"), as: Bird.self, at: "data.items") { show(bird) }
/// ```
///
/// The array is the document itself or the value at a key path. Memory is constant: at most one element and one chunk of the body are kept,
/// and the server is read no faster than the elements are consumed. The document around the elements is validated too.
///
/// An element that can't be decoded throws `.decodingFailed` with its index in the coding path and its bytes as the response's body; the
/// next call of the iterator returns the following element. These errors end the sequence: `.decodingFailed` for a document that is not
/// JSON or has no array at the key path, `.responseTooLarge` with the subject `.element` for an element of more bytes than the limit, and
/// the errors of opening and reading the response. Leaving the loop closes the connection.
public struct StreamedElements<Element: Decodable & Sendable, Failure: Error>: AsyncSequence, Sendable {
    let opening: StreamOpening
    let decoder: any BodyDecoder
    let keyPath: String
    let limit: Int
    let failure: @Sendable (HTTPError) -> Failure

    /// Creates an iterator. Its first call of `next()` sends the request.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator of the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let elements: StreamedElements
        private var chunks: ResponseChunks
        /// Nil when the sequence has ended.
        private var scanner: JSONElementScanner?

        fileprivate init(_ elements: StreamedElements) {
            self.elements = elements
            chunks = ResponseChunks(elements.opening)
            scanner = JSONElementScanner(keyPath: elements.keyPath, maxElementBytes: elements.limit)
        }

        /// Returns the next element, or nil after the last.
        public mutating func next() async throws(Failure) -> Element? {
            do throws(HTTPError) { return try await nextElement() } catch { throw elements.failure(error) }
        }

        private mutating func nextElement() async throws(HTTPError) -> Element? {
            while scanner != nil {
                if let element = try scan() { return try decode(element) }
                if chunks.hasEnded { return nil }
                guard let chunk = try await chunks.next() else { return try finish() }
                scanner?.append(chunk)
            }
            return nil
        }

        private mutating func scan() throws(HTTPError) -> JSONElementScanner.Element? {
            do throws(JSONElementError) { return try scanner?.next() } catch { throw ended(error) }
        }

        /// Checks that the document is complete.
        private mutating func finish() throws(HTTPError) -> Element? {
            do throws(JSONElementError) { try scanner?.finish() } catch { throw ended(error) }
            scanner = nil
            return nil
        }

        /// Ends the sequence and closes the connection.
        private mutating func ended(_ error: JSONElementError) -> HTTPError {
            chunks.close()
            scanner = nil
            let context = ErrorContext(request: chunks.head.metadata.request, stage: .decoding, underlying: error)
            if case .elementTooLarge(let limit) = error.kind {
                return .responseTooLarge(SizeLimitFailure(.element, limit: limit, context: context))
            }
            return .decodingFailed(
                DecodingFailure(
                    type: "[\(Element.self)]", codingPath: elements.keyPath, reason: "\(error)",
                    response: chunks.head.map { Data() }, context: context))
        }

        private func decode(_ element: JSONElementScanner.Element) throws(HTTPError) -> Element {
            let response = chunks.head.map { element.bytes }
            do throws(HTTPError) {
                // As JSON even where a whole response would be text or bytes: an element of a string array has quotes.
                let decoding = ResponseDecoding(usesDecoder: true) { try $1.decode(Element.self, from: $0.body) }
                return try decoding.value(of: response, with: elements.decoder).body
            } catch { throw error.below("\(elements.keyPath)[\(element.index)]") }
        }
    }
}

extension HTTPBody {
    /// Returns the elements of a JSON array in the body: see ``StreamedElements``.
    ///
    /// - Parameters:
    ///   - type: The type of an element.
    ///   - keyPath: The names of the members that lead to the array, separated by dots. Default: empty, the document is the array.
    ///   - decoder: The decoder of the elements. Default: `.json`.
    ///   - maxElementBytes: The maximum size of an element in bytes. Default: 1 MiB.
    public func elements<Element: Decodable & Sendable>(
        as type: Element.Type, at keyPath: String = "", decoder: any BodyDecoder = .json, maxElementBytes limit: Int = 1 << 20
    ) -> StreamedElements<Element, HTTPError> {
        StreamedElements(opening: StreamOpening(self), decoder: decoder, keyPath: keyPath, limit: limit) { $0 }
    }
}
