public import MartletEssentials

extension HTTPRequest {
    /// Creates the request of an endpoint.
    ///
    /// - Parameters:
    ///   - options: The options of the endpoint, overridden by those of the call.
    ///   - requestBody: The endpoint's body.
    ///   - examinesFiles: Whether a body with files is created. Otherwise the request has only its `Content-Type`.
    ///   - defaults: The fields of the client's configuration.
    ///   - harmless: The names of fields that the app declares as harmless.
    init(
        _ endpoint: some Endpoint, _ options: CallOptions, body requestBody: RequestBody?, examinesFiles: Bool = true, base: BaseURL?,
        accept: String, encoder: any BodyEncoder, defaults: DefaultFields, harmless: Set<HTTPFieldName>
    ) throws(HTTPError) {
        let isUpgrade = options.context.upgrade != nil, base = isUpgrade ? base?.withoutWebSocketScheme : base
        let (url, checkedOrigin) = try HTTPRequest.url(of: endpoint, base: base, encoder: encoder)
        var headers = endpoint.headers
        var body: HTTPBody?
        if let requestBody, requestBody.hasFiles, !examinesFiles {
            if let type = requestBody.contentType, !headers.contains(.contentType) { headers.append(.contentType, type) }
        } else if let requestBody {
            let encoded: (body: HTTPBody, contentType: String)
            do { encoded = try requestBody.encoded(with: encoder) } catch {
                throw error.completed(request: HTTPRequest(method: endpoint.method, url: url.url), stage: .request)
            }
            body = encoded.body
            if !headers.contains(.contentType) { headers.append(.contentType, encoded.contentType) }
        }
        if !headers.contains(.accept) { headers.append(.accept, accept) }
        var context = options.context
        defaults.add(to: &headers, target: url, checked: checkedOrigin, base: base, context)
        if !options.tags.isEmpty { context.tags = options.tags }
        // Another origin has chosen the target, such as a link to the next page, so it must not receive the fields for the client's own.
        if !context.passedOrigins.isEmpty { context.leaveOrigin(with: &headers, naming: harmless) }
        context.change {
            $0.endpointName = { endpoint.endpointName }
            $0.baseOrigin = base?.origin
            $0.pathTemplate = endpoint.url == nil ? endpoint.path.template : ""
        }
        self.init(method: endpoint.method, url: url, checkedOrigin: checkedOrigin, headers: headers, body: body, context: context)
    }

    /// Returns the URL of an endpoint, and its origin if that was checked and a request to it can be sent.
    private static func url(
        of endpoint: some Endpoint, base: BaseURL?, encoder: any BodyEncoder
    ) throws(HTTPError) -> (RequestURL, CheckedOrigin?) {
        let query: String
        do { query = try endpoint.query.encoded(with: encoder) } catch {
            let base = endpoint.baseURL.map(BaseURL.init) ?? base
            guard let url = endpoint.url ?? (try? base?.url(for: endpoint.path, query: "").url) else { throw error }
            throw error.completed(request: HTTPRequest(method: endpoint.method, url: url), stage: .request)
        }
        if let url = endpoint.url {
            let origin = CheckedOrigin(url, likely: base?.checkedOrigin)
            guard !query.isEmpty else { return (.value(url), origin) }
            guard let whole = url.adding(query: query) else { throw .invalidURL(Explanation(Redaction.url(url))) }
            return (.value(whole), origin)
        }
        guard let base = endpoint.baseURL.map(BaseURL.init) ?? base else {
            throw .invalidURL(
                Explanation(
                    "the path \(Redaction.address(endpoint.path.text)) has no base URL: the client was made without one, or with "
                        + "baseURL: nil, which URL(string:) returns for a malformed string; give the client or the request one"))
        }
        return (try base.url(for: endpoint.path, query: query), base.checkedOrigin)
    }

    /// Throws if the request can't be sent. It is checked when it is created, and again after the interceptors.
    mutating func check() throws(HTTPError) {
        if let problem = checkURL() { throw failed(.invalidURL("the URL \(problem): \(Redaction.url(url))")) }
        if let problem = methodProblem ?? bodyProblem ?? headerProblem { throw failed(.invalidRequest(Explanation(problem))) }
    }

    private var methodProblem: String? {
        if method.isUsual { return nil }
        if !method.isValid { return "the method is not a token: “\(Redaction.line(method.rawValue, limit: 40))”" }
        if method == .connect { return "CONNECT is not a request that a client can send" }
        if method == .trace, body != nil { return "a TRACE request can't have a body" }
        return nil
    }

    private var bodyProblem: String? {
        guard let body, body.length != 0, method == .get || method == .head else { return nil }
        if method == .get, context[GETBodyKey.self] { return nil }
        return "a \(method) request can't have a body: give the endpoint a method such as POST"
            + (method == .get ? ", or set CallOptions.allowsGETBody if the server reads the body of a GET" : "")
    }

    private var headerProblem: String? {
        if let line = headers.firstInvalidLine {
            return "the field “\(Redaction.line(line.name.rawName, limit: 60))” has a name or value that can't be written as one line"
        }
        if headers.values(for: .host).count > 1 { return "there are two Host fields" }
        if headers.contains(.transferEncoding) { return "Transfer-Encoding can't be set, because the transport writes it" }
        if headers.contains("Upgrade") {
            return
                "Upgrade can't be set: `webSocket(_:)` of the product MartletWebSocket opens a WebSocket, and there are no other upgrades"
        }
        if let length = headers[.contentLength], Int64(length) != body?.length ?? 0 {
            return
                "Content-Length is \(Redaction.line(length, limit: 40)) and the body has \(body?.length.map(String.init) ?? "another length")"
        }
        return nil
    }

    private func failed(_ error: HTTPError) -> HTTPError { error.completed(request: self, stage: .request) }
}

extension Request {
    /// Returns the request message with its URL, header fields and encoded body, without sending it and without the additions of a client.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL for a request with a path. Default: nil.
    ///   - encoder: The encoder for the body and the query. Default: `.json`.
    ///   - decoder: The decoder whose media type `Accept` names. Default: `.json`.
    /// - Throws: The error that sending would throw before the first byte: `.invalidURL`, `.invalidRequest` or `.encodingFailed`.
    public func httpRequest(
        baseURL: URL? = nil, encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json
    ) throws(HTTPError) -> HTTPRequest {
        try request(baseURL: baseURL, accept: decoding.usesDecoder ? decoder.accept : "*/*", encoder: encoder)
    }
}

extension Endpoint {
    /// Returns the checked request, without the additions of the client and its interceptors.
    ///
    /// - Parameter examinesFiles: Whether the files of the body are examined on this thread, which may block as long as their file systems
    ///   do. Otherwise the request has no body if its body has files. Default: true.
    package func request(
        _ callOptions: CallOptions = CallOptions(), baseURL: URL?, accept: String, encoder: any BodyEncoder, examinesFiles: Bool = true
    ) throws(HTTPError) -> HTTPRequest {
        let body = body
        var request = try HTTPRequest(
            self, options.overridden(by: callOptions), body: body, examinesFiles: examinesFiles, base: baseURL.map(BaseURL.init),
            accept: accept, encoder: encoder, defaults: .none, harmless: [])
        if examinesFiles || body?.hasFiles != true { try request.check() }
        return request
    }
}
