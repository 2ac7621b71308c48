import MartletHTTP
import Testing

@Suite("HTTPMethod", .timeLimit(.minutes(5)))
struct HTTPMethodTests {
    @Test(
        "Safe methods only read (RFC 9110 §9.2.1)",
        arguments: [
            (HTTPMethod.get, true), (.head, true), (.options, true), (.trace, true), ("QUERY", true), (.post, false), (.put, false),
            (.patch, false), (.delete, false), (.connect, false), ("PURGE", false),
        ])
    func safety(method: HTTPMethod, isSafe: Bool) {
        #expect(method.isSafe == isSafe)
    }

    @Test(
        "The safe methods, PUT and DELETE are idempotent (RFC 9110 §9.2.2)",
        arguments: [
            (HTTPMethod.get, true), (.head, true), (.options, true), (.trace, true), (.put, true), (.delete, true), (.post, false),
            (.patch, false), (.connect, false), ("PURGE", false),
        ])
    func idempotence(method: HTTPMethod, isIdempotent: Bool) {
        #expect(method.isIdempotent == isIdempotent)
    }

    @Test("Methods are case-sensitive: get is not GET, and not safe (RFC 9110 §9.1)")
    func caseSensitivity() {
        let lower: HTTPMethod = "get"
        #expect(lower != .get)
        #expect(!lower.isSafe)
        #expect(!lower.isIdempotent)
    }

    @Test(
        "Only a token is a valid method",
        arguments: [
            ("GET", true), ("PURGE", true), ("M-SEARCH", true), ("a!b", true), ("", false), ("GET /", false), ("GET\r\n", false),
            ("GET\0", false), ("GÉT", false), ("GET:", false), ("\"GET\"", false),
        ])
    func validity(name: String, isValid: Bool) {
        #expect(HTTPMethod(rawValue: name).isValid == isValid)
    }

    @Test("A method is described by its name on the wire")
    func description() {
        #expect("\(HTTPMethod.patch)" == "PATCH")
        #expect("\(HTTPMethod("PURGE"))" == "PURGE")
    }

    @Test("The constants have the names on the wire")
    func names() {
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
        #expect(methods.map(\.rawValue) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
        #expect(methods.allSatisfy { $0.isValid })
        #expect(HTTPMethod.allCases == methods.dropLast())
    }
}
