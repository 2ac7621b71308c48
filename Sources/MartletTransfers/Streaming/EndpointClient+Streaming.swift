public import MartletEssentials

// The variants for `Request` are for its static members, which can only be found through a parameter of this type. Where there is no
// response type, that for `Request<Data>` is for `.get("log")`, whose type nothing names, and so not disfavoured.

extension EndpointClient {
    // MARK: Lines

    /// Returns a sequence of the lines of an endpoint's response, as they arrive. The endpoint is sent when the first line is requested.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its status is validated as by `EndpointClient.stream(_:options:)`.
    ///   - limit: The maximum size of a line in bytes. Default: 1 MiB.
    ///   - options: The options for the call.
    @_disfavoredOverload
    public func lines<E: Endpoint>(
        _ endpoint: E, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<String, Failure> {
        .lines(StreamOpening(endpoint, options, client: httpClient, accept: "*/*"), limit: limit, failure: failure)
    }

    /// Returns a sequence of the lines of a request's response, as they arrive, as in `lines(.get("log"))`.
    public func lines(
        _ request: Request<Data>, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<String, Failure> {
        .lines(StreamOpening(request, options, client: httpClient, accept: "*/*"), limit: limit, failure: failure)
    }

    /// Returns a sequence of the lines of a request's response, as they arrive.
    @_disfavoredOverload
    public func lines<Response: Sendable>(
        _ request: Request<Response>, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<String, Failure> {
        .lines(StreamOpening(request, options, client: httpClient, accept: "*/*"), limit: limit, failure: failure)
    }

    // MARK: JSON Lines

    /// Returns a sequence of the values in a JSON Lines response (`application/jsonl`, `application/x-ndjson`), decoded as they arrive.
    ///
    /// The endpoint's `Response` is the type of one line.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. It is sent when the first value is requested.
    ///   - limit: The maximum size of a line in bytes. Default: 1 MiB.
    ///   - options: The options for the call.
    public func jsonLines<E: Endpoint>(
        _ endpoint: E, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<E.Response, Failure> {
        streamedValues(endpoint, endpoint.decoding, .line, limit, options)
    }

    /// Returns a sequence of the values in a JSON Lines response, each line decoded as `type`, as they arrive. The endpoint has no response
    /// type of its own.
    public func jsonLines<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Value, Failure> where E.Response == Data {
        streamedValues(endpoint, .decodable, .line, limit, options)
    }

    /// Returns a sequence of the values in a JSON Lines response to a request, as in `jsonLines(.birds)`, decoded as they arrive. The
    /// request's `Response` is the type of one line.
    @_disfavoredOverload
    public func jsonLines<Value: Sendable>(
        _ request: Request<Value>, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Value, Failure> {
        streamedValues(request, request.decoding, .line, limit, options)
    }

    // MARK: JSON text sequences

    /// Returns a sequence of the values in a JSON text sequence (`application/json-seq`, RFC 7464), decoded as they arrive.
    ///
    /// The endpoint's `Response` is the type of one text.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. It is sent when the first value is requested.
    ///   - limit: The maximum size of a text in bytes. Default: 1 MiB.
    ///   - options: The options for the call.
    public func jsonSequence<E: Endpoint>(
        _ endpoint: E, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<E.Response, Failure> {
        streamedValues(endpoint, endpoint.decoding, .record, limit, options)
    }

    /// Returns a sequence of the values in a JSON text sequence, each decoded as `type`, as they arrive. The endpoint has no response type
    /// of its own.
    public func jsonSequence<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Value, Failure> where E.Response == Data {
        streamedValues(endpoint, .decodable, .record, limit, options)
    }

    /// Returns a sequence of the values in a JSON text sequence from a request, decoded as they arrive. The request's `Response` is the
    /// type of one text.
    @_disfavoredOverload
    public func jsonSequence<Value: Sendable>(
        _ request: Request<Value>, maxLineBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Value, Failure> {
        streamedValues(request, request.decoding, .record, limit, options)
    }

    private func streamedValues<E: Endpoint, Value: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Value>, _ separator: LineSplitter.Separator, _ limit: Int, _ options: CallOptions
    ) -> ValueSequence<Value, Failure> {
        let accept = separator == .line ? "application/jsonl, application/x-ndjson" : "application/json-seq, application/geo+json-seq"
        let opening = StreamOpening(endpoint, options, client: httpClient, accept: accept + ", application/json;q=0.5")
        return StreamedValues(
            opening: opening, separator: separator, decoding: decoding, decoder: decoder, limit: limit
        ).sequence(failure: failure)
    }

    // MARK: Elements of a JSON array

    /// Returns a sequence of the elements of a JSON array in an endpoint's response, decoded as they arrive. See
    /// `HTTPBody.elements(as:at:)`.
    ///
    /// ```swift
    /// for try await bird in client.elements(ListBirds(), as: Bird.self) { show(bird) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. It is sent when the first element is requested.
    ///   - type: The type of an element.
    ///   - keyPath: The names of the members that lead to the array, separated by dots. Default: empty, the document is the array.
    ///   - limit: The maximum size of an element in bytes. Default: 1 MiB.
    ///   - options: The options for the call.
    @_disfavoredOverload
    public func elements<E: Endpoint, Element: Decodable & Sendable>(
        _ endpoint: E, as type: Element.Type, at keyPath: String = "", maxElementBytes limit: Int = 1 << 20,
        options: CallOptions = CallOptions()
    ) -> ValueSequence<Element, Failure> {
        let opening = StreamOpening(endpoint, options, client: httpClient, accept: decoder.accept)
        return StreamedElements(opening: opening, decoder: decoder, keyPath: keyPath, limit: limit).sequence(failure: failure)
    }

    /// Returns a sequence of the elements of a JSON array in a request's response, decoded as they arrive. See `HTTPBody.elements(as:at:)`.
    public func elements<Element: Decodable & Sendable>(
        _ request: Request<Data>, as type: Element.Type, at keyPath: String = "", maxElementBytes limit: Int = 1 << 20,
        options: CallOptions = CallOptions()
    ) -> ValueSequence<Element, Failure> {
        let opening = StreamOpening(request, options, client: httpClient, accept: decoder.accept)
        return StreamedElements(opening: opening, decoder: decoder, keyPath: keyPath, limit: limit).sequence(failure: failure)
    }

    /// Returns a sequence of the elements of an endpoint's response, if that is an array, decoded as they arrive. See
    /// `HTTPBody.elements(as:at:)`.
    public func elements<E: Endpoint, Element: Decodable & Sendable>(
        _ endpoint: E, maxElementBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Element, Failure> where E.Response == [Element] {
        elements(endpoint, as: Element.self, maxElementBytes: limit, options: options)
    }

    /// Returns a sequence of the elements of a request's response, if that is an array, decoded as they arrive, as in `elements(.birds)`.
    @_disfavoredOverload
    public func elements<Element: Decodable & Sendable>(
        _ request: Request<[Element]>, maxElementBytes limit: Int = 1 << 20, options: CallOptions = CallOptions()
    ) -> ValueSequence<Element, Failure> {
        let opening = StreamOpening(request, options, client: httpClient, accept: decoder.accept)
        return StreamedElements(opening: opening, decoder: decoder, keyPath: "", limit: limit).sequence(failure: failure)
    }
}
