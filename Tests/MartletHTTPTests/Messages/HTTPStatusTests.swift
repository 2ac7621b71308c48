import MartletHTTP
import Testing

@Suite("HTTPStatus", .timeLimit(.minutes(5)))
struct HTTPStatusTests {
    @Test(
        "The first digit is the class; a status outside 100 to 599 is invalid (RFC 9110 §15)",
        arguments: [
            (100, HTTPStatus.Kind.informational), (199, .informational), (200, .successful), (299, .successful), (300, .redirection),
            (399, .redirection), (400, .clientError), (499, .clientError), (500, .serverError), (599, .serverError), (99, .invalid),
            (600, .invalid), (0, .invalid), (-200, .invalid),
        ])
    func kinds(number: Int, kind: HTTPStatus.Kind) {
        #expect(HTTPStatus(rawValue: number).kind == kind)
    }

    @Test(
        "Interim responses, 204 and 304 have no body (RFC 9110 §6.4.1)",
        arguments: [
            (100, true), (103, true), (204, true), (304, true), (200, false), (205, false), (301, false), (404, false), (500, false),
        ])
    func content(number: Int, isForbidden: Bool) {
        #expect(HTTPStatus(rawValue: number).forbidsContent == isForbidden)
    }

    @Test("A status can be compared with a number, and is ordered by number")
    func comparing() {
        #expect(HTTPStatus.notFound == 404)
        #expect(HTTPStatus.notFound != .gone)
        #expect(HTTPStatus.ok < .notFound)
        #expect((HTTPStatus.ok..<300).contains(.noContent))
    }

    @Test("The description has the reason phrase if the status is registered")
    func description() {
        #expect("\(HTTPStatus.notFound)" == "404 Not Found")
        #expect("\(HTTPStatus(rawValue: 299))" == "299")
    }

    @Test("Each constant has its registered code")
    func names() {
        let named: [HTTPStatus] = [
            .ok, .created, .accepted, .noContent, .partialContent, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect,
            .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound, .requestTimeout, .conflict, .gone, .preconditionFailed,
            .contentTooLarge, .unprocessableContent, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
            .gatewayTimeout,
        ]
        #expect(
            named.map(\.rawValue) == [
                200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 408, 409, 410, 412, 413, 422, 429, 500, 502, 503,
                504,
            ])
    }
}

@Suite("Reason phrases", .timeLimit(.minutes(5)))
struct HTTPStatusReasonPhraseTests {
    @Test(
        "A registered status has its reason phrase (RFC 9110 §15)",
        arguments: [
            (100, "Continue"), (200, "OK"), (203, "Non-Authoritative Information"), (308, "Permanent Redirect"), (413, "Content Too Large"),
            (422, "Unprocessable Content"), (429, "Too Many Requests"), (451, "Unavailable For Legal Reasons"), (504, "Gateway Timeout"),
            (511, "Network Authentication Required"),
        ])
    func registered(number: Int, phrase: String) {
        #expect(HTTPStatus(rawValue: number).reasonPhrase == phrase)
    }

    @Test("An unregistered or reserved status has no reason phrase", arguments: [0, 99, 104, 306, 418, 499, 599, 600, -1])
    func unregistered(number: Int) {
        #expect(HTTPStatus(rawValue: number).reasonPhrase == "")
    }
}
