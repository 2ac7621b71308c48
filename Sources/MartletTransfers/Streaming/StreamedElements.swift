internal import MartletEssentials

extension HTTPBody {
    /// Returns a sequence of the elements of a JSON array in the body, each decoded as soon as its bytes have arrived.
    ///
    /// ```swift
    /// for try await bird in response.body.elements(as: Bird.self, at: "data.items") { show(bird) }
    /// ```
    ///
    /// The array is the document itself or the value at a key path. Memory use is constant: at most one element and one chunk of the body
    /// are kept, and the body is read no faster than the elements are consumed. The document around the elements is validated too.
    ///
    /// An element that can't be decoded throws `.decodingFailed` with its index in the coding path and its bytes as the response's body;
    /// the next call of the iterator returns the following element. These errors end the sequence: `.decodingFailed` for a document that is
    /// not JSON or has no array at the key path, `.responseTooLarge` with the subject `.element` for an element that exceeds the limit, and
    /// the errors of reading the body. Leaving the loop closes the connection.
    ///
    /// - Parameters:
    ///   - type: The type of an element.
    ///   - keyPath: The names of the members that lead to the array, separated by dots. Default: empty, the document is the array.
    ///   - decoder: The decoder of the elements. Default: `.json`.
    ///   - limit: The maximum size of an element in bytes. Default: 1 MiB.
    public func elements<Element: Decodable & Sendable>(
        as type: Element.Type, at keyPath: String = "", decoder: any BodyDecoder = .json, maxElementBytes limit: Int = 1 << 20
    ) -> ValueSequence<Element, HTTPError> {
        StreamedElements(opening: StreamOpening(self), decoder: decoder, keyPath: keyPath, limit: limit).sequence { $0 }
    }
}

/// The elements of a JSON array in a response.
struct StreamedElements<Element: Decodable & Sendable>: Sendable {
    let opening: StreamOpening
    let decoder: any BodyDecoder
    let keyPath: String
    let limit: Int

    /// Returns the sequence of the elements. Requesting the first one opens the response.
    func sequence<Failure: Error>(failure: @escaping @Sendable (HTTPError) -> Failure) -> ValueSequence<Element, Failure> {
        ValueSequence(observing: opening.observe, failure: failure) { reading in
            var reader = ElementReader(self, reading)
            return { () async throws(HTTPError) in try await reader.next() }
        }
    }
}

/// Reads the elements of a JSON array one after the other.
private struct ElementReader<Element: Decodable & Sendable> {
    private let decoder: any BodyDecoder
    private let keyPath: String
    private var chunks: ResponseChunks
    /// Nil when the sequence has ended.
    private var scanner: JSONElementScanner?

    init(_ elements: StreamedElements<Element>, _ reading: ObservedReading) {
        decoder = elements.decoder
        keyPath = elements.keyPath
        chunks = ResponseChunks(elements.opening, reading)
        scanner = JSONElementScanner(keyPath: elements.keyPath, maxElementBytes: elements.limit)
    }

    mutating func next() async throws(HTTPError) -> Element? {
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
        let context = ErrorContext(stage: .decoding, underlying: error), failure: HTTPError
        if case .elementTooLarge(let limit) = error.kind {
            failure = .responseTooLarge(SizeLimitFailure(.element, limit: limit, context: context))
        } else {
            failure = .decodingFailed(
                DecodingFailure(
                    type: "[\(Element.self)]", codingPath: keyPath, reason: "\(error)",
                    response: chunks.head.map { Data() }, context: context))
        }
        return failure.completed(ifKnown: chunks.head.metadata.request, stage: .decoding)
    }

    private func decode(_ element: JSONElementScanner.Element) throws(HTTPError) -> Element {
        let response = chunks.head.map { element.bytes }
        do throws(HTTPError) {
            // Decoded as JSON even if a whole response of this type would be text or bytes: an element of an array of strings has quotes.
            let decoding = ResponseDecoding(usesDecoder: true) { try $1.decode(Element.self, from: $0.body) }
            return try decoding.value(of: response, with: decoder).body
        } catch { throw error.below("\(keyPath)[\(element.index)]") }
    }
}
