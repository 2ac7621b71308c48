import MartletHTTP
import Testing

@Suite("HTTPStatus", .timeLimit(.minutes(5)))
struct HTTPStatusTests {
    @Test(
        "The first digit is the class; what lies outside 100 to 599 is invalid (RFC 9110 §15)",
        arguments: [
            (100, HTTPStatus.Kind.informational), (199, .informational), (200, .successful), (299, .successful), (300, .redirection),
            (399, .redirection), (400, .clientError), (499, .clientError), (500, .serverError), (599, .serverError), (99, .invalid),
            (600, .invalid), (0, .invalid), (-200, .invalid),
        ])
    func kinds(number: Int, kind: HTTPStatus.Kind) {
        #expect(HTTPStatus(rawValue: number).kind == kind)
    }

    @Test(
        "Interim answers, 204 and 304 have no content (RFC 9110 §6.4.1)",
        arguments: [
            (100, true), (103, true), (204, true), (304, true), (200, false), (205, false), (301, false), (404, false), (500, false),
        ])
    func content(number: Int, isForbidden: Bool) {
        #expect(HTTPStatus(rawValue: number).forbidsContent == isForbidden)
    }

    @Test("A status compares with a number, and in the order of the numbers")
    func comparing() {
        #expect(HTTPStatus.notFound == 404)
        #expect(HTTPStatus.notFound != .gone)
        #expect(HTTPStatus.ok < .notFound)
        #expect((HTTPStatus.ok..<300).contains(.noContent))
    }

    @Test("A registered status is written with its name, any other as its number")
    func description() {
        #expect("\(HTTPStatus.notFound)" == "404 Not Found")
        #expect("\(HTTPStatus(rawValue: 299))" == "299")
    }

    @Test("Each name stands for its registered number")
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
