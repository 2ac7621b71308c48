internal import MartletEssentials

extension HTTPRequest {
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
        if let length = headers[.contentLength], Int64(length) != body?.length ?? 0 {
            return
                "Content-Length is \(Redaction.line(length, limit: 40)) and the body has \(body?.length.map(String.init) ?? "another length")"
        }
        return nil
    }

    private func failed(_ error: HTTPError) -> HTTPError { error.completed(request: self, stage: .request) }
}
