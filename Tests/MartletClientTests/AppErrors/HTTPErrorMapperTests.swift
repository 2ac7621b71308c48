import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPErrorMapperTests {
    let mapper = HTTPErrorMapper(time: ManualTime(now: Date(timeIntervalSince1970: 0)))

    func map(_ status: HTTPStatus, _ body: String = "", headers: HTTPFields = [:]) -> APIError {
        mapper.map(.statusCode(HTTPResponse(status: status, headers: headers, body: Data(body.utf8))))
    }

    @Test("A rate limit contains the wait, in seconds or as a date by the server's own clock")
    func rateLimits() {
        #expect(map(429) == .rateLimited(retryAfter: nil))
        #expect(map(429, headers: [.retryAfter: "7"]) == .rateLimited(retryAfter: .seconds(7)))
        #expect(map(429, headers: [.retryAfter: "Thu, 01 Jan 1970 00:00:09 GMT"]) == .rateLimited(retryAfter: .seconds(9)))
        #expect(
            map(429, headers: [.retryAfter: "Thu, 01 Jan 2026 00:00:09 GMT", .date: "Thu, 01 Jan 2026 00:00:01 GMT"])
                == .rateLimited(retryAfter: .seconds(8)))
    }

    @Test(
        "Field errors are found in all common formats",
        arguments: [
            #"{"errors":[{"source":{"pointer":"/data/attributes/name"},"detail":"is required"}]}"#,
            #"{"errors":{"name":"is required"}}"#,
            #"{"violations":[{"propertyPath":"name","message":"is required"}]}"#,
            #"{"detail":[{"loc":["query","name"],"msg":"is required"}]}"#,
        ])
    func shapes(body: String) {
        #expect(map(422, body) == .validationError([FieldError(field: "name", message: "is required")]))
        #expect(map(400, body) == .validationError([FieldError(field: "name", message: "is required")]))
    }

    @Test("Nested field names are joined with dots, and several errors keep their order")
    func nested() {
        let body = ##"{"errors":[{"pointer":"#/items/0/a~1b","detail":"x"},{"field":"n","message":"y"}]}"##
        #expect(map(422, body) == .validationError([FieldError(field: "items.0.a/b", message: "x"), FieldError(field: "n", message: "y")]))
    }

    @Test(
        "Field errors of Django are found at the top level, also of nested objects and lists",
        arguments: [
            (#"{"title":["This field is required."]}"#, [FieldError(field: "title", message: "This field is required.")]),
            (
                #"{"age":["A","B"],"non_field_errors":["C"],"__all__":["D"]}"#,
                [
                    FieldError(field: "age", message: "A"), FieldError(field: "age", message: "B"), FieldError(field: "", message: "C"),
                    FieldError(field: "", message: "D"),
                ]
            ),
            (
                #"{"address":{"street":["A"]},"items":[{},{"name":["B"]}]}"#,
                [FieldError(field: "address.street", message: "A"), FieldError(field: "items.1.name", message: "B")]
            ),
            (#"{"title":[{"message":"A","code":"required"}]}"#, [FieldError(field: "title", message: "A")]),
        ])
    func django(body: String, fields: [FieldError]) {
        #expect(map(400, body) == .validationError(fields))
        #expect(map(422, body) == .validationError(fields))
    }

    @Test(
        "An object in which only some members are lists of messages is not Django's form",
        arguments: [
            #"{"title":["A"],"status":400}"#, #"{"title":[1]}"#, #"{"title":[]}"#, "{}", #"{"errors":["A"]}"#, #"{"error":["A"]}"#,
            #"{"title":[["A"]]}"#, #"["A"]"#, #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":["A"]}}}}}}}}}"#,
        ])
    func notDjango(body: String) { #expect(map(400, body) == .httpError(400)) }

    @Test("The message for FastAPI's and Django's errors names the fields")
    func namedFields() {
        let fastAPI = #"""
            {"detail":[{"type":"missing","loc":["body","title"],"msg":"Field required","input":{}},
            {"type":"int_parsing","loc":["body","items",0,"page_count"],"msg":"Input should be a valid integer"},
            {"type":"json_invalid","loc":["body",1],"msg":"JSON decode error"}]}
            """#
        #expect(
            map(422, fastAPI).errorDescription
                == "Title: Field required\nItems 1 page count: Input should be a valid integer\nJSON decode error")
        #expect(map(400, #"{"title":["This field may not be blank."]}"#).errorDescription == "Title: This field may not be blank.")
    }

    @Test("A 422 without fields keeps the text of the problem details; a 400 without fields is an HTTP error")
    func withoutFields() {
        #expect(map(422, #"{"detail":"too long"}"#) == .validationError([FieldError(field: "", message: "too long")]))
        #expect(map(422, "<html>") == .validationError([]))
        #expect(map(400, #"{"detail":"too long"}"#) == .httpError(400))
    }

    @Test("Every kind of failure maps to an APIError")
    func kinds() {
        let response = HTTPResponse(status: .notFound, body: Data())
        let table: [(HTTPError, APIError)] = [
            (.timeout, .timeout), (.cancelled, .cancelled), (.draining, .cancelled),
            (.networkError(NetworkFailure(.hostNotFound)), .networkError), (.networkError(NetworkFailure(.offline)), .offline),
            (.circuitOpen("x"), .unavailable), (.limitExceeded("x"), .rateLimited(retryAfter: nil)),
            (.statusCode(response), .notFound), (.authenticationFailed("x"), .unauthorized),
            (.invalidSSLCertificate("x"), .insecureConnection("")),
            (.invalidURL("x"), .invalidURL), (.invalidRequest("x"), .invalidRequest("")), (.encodingFailed("x"), .invalidRequest("")),
            (.bodyNotReplayable("x"), .invalidRequest("")), (.addressRefused("x"), .invalidRequest("")),
            (.invalidResponse("x"), .invalidResponse), (.redirectFailed("x"), .invalidResponse),
            (.responseTooLarge(SizeLimitFailure(limit: 1)), .invalidResponse), (.integrityFailed("x"), .invalidResponse),
            (.pagingFailed(PagingFailure(.loop)), .invalidResponse),
            (.noData("x"), .decodingError), (.decodingFailed(DecodingFailure(type: "T", reason: "x", response: response)), .decodingError),
            (.fileFailed(FileFailure(.diskFull, path: "/a")), .fileError(.diskFull, "")),
            (.engineUnavailable("x"), .unknown("")), (.interceptorFailed("x"), .unknown("")),
        ]
        #expect(Set(table.map(\.0.kind)) == Set(HTTPError.Kind.allCases))
        for (error, expected) in table {
            #expect(mapper.map(error) == expected)
            #expect((mapper.map(error).errorDescription?.isEmpty ?? true) == (expected == .cancelled))
            #expect(error.localizedDescription == mapper.map(error).errorDescription || expected == .cancelled)
        }
    }

    @Test("An open circuit does not send the user to their internet connection")
    func openCircuit() {
        let error = mapper.map(.circuitOpen("x"))
        #expect(error.errorDescription == "The service is not available at the moment. Please try again later.")
        #expect(error.isRetryable && error.messageKey == "unavailable" && error != .networkError)
        #expect(error.underlying as? HTTPError == .circuitOpen && error.developerText == "unavailable: Circuit open: x")
    }

    @Test("Errors of fields keep the server's order")
    func order() {
        #expect(map(422, #"{"errors":{"b":["1"],"a":["2"]}}"#).errorDescription == "B 1\nA 2")
        #expect(
            map(400, #"{"title":["1"],"author":{"name":["2"],"age":["3"]}}"#).errorDescription == "Title 1\nAuthor name 2\nAuthor age 3")
    }

    @Test("FastAPI's byte offset in invalid JSON is not a field")
    func invalidJSON() {
        let body = #"{"detail":[{"type":"json_invalid","loc":["body",5],"msg":"JSON decode error"}]}"#
        #expect(map(422, body) == .validationError([FieldError(field: "", message: "JSON decode error")]))
        let list = #"{"detail":[{"type":"int_type","loc":["body",5],"msg":"not a number"}]}"#
        #expect(map(422, list) == .validationError([FieldError(field: "5", message: "not a number")]))
    }

    @Test("A cancellation has no message in any language", arguments: [HTTPError.cancelled, .draining])
    func cancellation(error: HTTPError) {
        #expect(mapper.map(error) == .cancelled)
        #expect(mapper.map(error).errorDescription == nil)
        #expect(mapper.map(error).message { _ in "Abgebrochen" } == nil)
        #expect(error.errorDescription == nil)
    }

    @Test("An APIError keeps the error that caused it")
    func causes() {
        for error in [HTTPError.networkError(NetworkFailure(.offline)), .noData("x"), .invalidURL("x"), .engineUnavailable("x")] {
            #expect(mapper.map(error).underlying as? HTTPError == error)
            #expect(mapper.map(error).developerText.contains(error.description))
        }
        #expect(APIError.networkError.underlying == nil && APIError.timeout.underlying == nil)
        #expect(APIError.unknown("what").developerText == "unknown: what" && APIError.unknown("").developerText == "unknown")
    }

    @Test("An app's mapper can make an error with a cause, and compare each kind without one")
    func ownErrors() {
        struct Failure: Error, CustomStringConvertible { let description = "the socket is gone" }
        let cause = HTTPError.Explanation(causedBy: Failure())
        let all: [(APIError, APIError)] = [
            (.invalidURL(cause), .invalidURL), (.invalidRequest(cause), .invalidRequest), (.invalidResponse(cause), .invalidResponse),
            (.decodingError(cause), .decodingError), (.offline(cause), .offline), (.networkError(cause), .networkError),
            (.insecureConnection(cause), .insecureConnection), (.fileError(.diskFull, cause), .fileError(.diskFull)),
            (.unknown(cause), .unknown),
        ]
        for (index, (error, plain)) in all.enumerated() {
            #expect(error.underlying is Failure && error.developerText.hasSuffix(": the socket is gone"))
            #expect(all.indices.filter { all[$0].1 == error } == [index] && plain.underlying == nil)
        }
        #expect(APIError.fileError(.diskFull) != .fileError(.other))
        #expect(APIError.fileError(.diskFull).messageKey == "diskFull" && APIError.fileError(.other).messageKey == "fileError")
    }

    @Test("A retry may succeed after a rate limit, a timeout, a failure of the server or the network, and while offline")
    func retryable() {
        #expect(APIError.offline.isRetryable && APIError.networkError.isRetryable)
        #expect(map(500).isRetryable && map(408).isRetryable && map(429).isRetryable && APIError.timeout.isRetryable)
        #expect(!map(501).isRetryable && !map(409).isRetryable && !APIError.cancelled.isRetryable && !APIError.decodingError.isRetryable)
    }

    @Test("Messages for people can be translated, and omit the developer's details")
    func words() {
        let german = APIError.httpError(418).message { $0 == "httpError" ? "Fehler %d" : nil }
        #expect(german == "Fehler 418")
        let error = HTTPError.networkError(NetworkFailure(.connectionRefused, "connect to 127.0.0.1"))
        #expect(mapper.map(error).developerText.contains("connectionRefused"))
        #expect(
            mapper.map(error).errorDescription
                == "The connection to the server failed. Please check your internet connection and try again.")
        #expect(APIError.decodingError.errorDescription == "The server sent an unexpected response. Please try again later.")
    }

    @Test("A failure of the network or the token server does not ask the user to sign in again")
    func offlineRefresh() {
        func failed(_ cause: any Error) -> APIError {
            mapper.map(.authenticationFailed(Explanation("x", context: ErrorContext(underlying: cause))))
        }
        #expect(failed(HTTPError.networkError(NetworkFailure(.hostNotFound))) == .networkError)
        #expect(failed(HTTPError.timeout) == .timeout)
        #expect(failed(HTTPError.statusCode(HTTPResponse(status: 503, body: Data()))) == .serverError(503))
        #expect(failed(HTTPError.statusCode(HTTPResponse(status: 400, body: Data()))) == .unauthorized)
        #expect(failed(CancellationError()) == .unauthorized)
    }

    @Test("A Retry-After date is compared with the clock of the client that sent the request")
    func inheritedTime() async throws {
        let time = ManualTime(now: try #require(HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date))
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example"),
            transport: MockTransport(.status(429, headers: [.retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT"])), time: time)
        await #expect(throws: APIError.rateLimited(retryAfter: .seconds(10))) {
            try await client.mappingErrors(HTTPErrorMapper()).send(Request<EmptyResponse>.get("x"))
        }
    }
}
