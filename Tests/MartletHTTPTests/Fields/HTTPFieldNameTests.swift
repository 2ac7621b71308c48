import MartletHTTP
import Testing

@Suite("HTTPFieldName", .timeLimit(.minutes(5)))
struct HTTPFieldNameTests {
    @Test("Names are equal without regard to case, and hash alike (RFC 9110 §5.1)")
    func equality() {
        let upper: HTTPFieldName = "CONTENT-TYPE"
        #expect(upper == .contentType)
        #expect(upper.hashValue == HTTPFieldName.contentType.hashValue)
        #expect(Set([upper, .contentType, "content-type"]).count == 1)
        #expect(upper != .contentLength)
        #expect(HTTPFieldName("X-A") != HTTPFieldName("X-AB"))
    }

    @Test("Only ASCII letters are compared without case")
    func otherLetters() {
        #expect(HTTPFieldName("X-É") != HTTPFieldName("X-é"))
    }

    @Test("A name keeps its original case")
    func writtenCase() {
        let name: HTTPFieldName = "x-ReQuest-ID"
        #expect(name.rawName == "x-ReQuest-ID")
        #expect("\(name)" == "x-ReQuest-ID")
        #expect(name.canonicalName == "x-request-id")
    }

    @Test(
        "A token is a valid name (RFC 9110 §5.6.2)",
        arguments: [
            ("X-A", true), ("a", true), ("!#$%&'*+-.^_`|~", true), ("", false), ("X A", false), ("X:", false), ("X\r\nY", false),
            ("X\0", false), ("É", false), ("(X)", false),
        ])
    func validity(name: String, isValid: Bool) {
        #expect(HTTPFieldName(name).isValid == isValid)
    }

    @Test(
        "A field whose name indicates a credential is one, by the same rule as in logs",
        arguments: [
            (HTTPFieldName("authorization"), true), ("COOKIE", true), ("Proxy-Authorization", true), ("X-API-Key", true),
            ("Api-Key", true), ("x-auth-token", true), ("X-Access-Token", true), ("X-Csrf-Token", true), ("X-Amz-Security-Token", true),
            ("Private-Token", true), ("X-Vault-Token", true), ("x-session-id", true), ("Ocp-Apim-Subscription-Key", true),
            ("X-Client-Secret", true), (HTTPFieldName(String(repeating: "X-", count: 60) + "Token"), true), (.setCookie, true),
            (.wwwAuthenticate, false), ("X-App", false), (.ifNoneMatch, false), (.idempotencyKey, false), ("Last-Event-ID", false),
            ("Tus-Resumable", false), ("Upload-Offset", false), (.origin, false),
        ])
    func credentials(name: HTTPFieldName, isCredential: Bool) {
        #expect(name.isAlwaysCredential == isCredential)
    }

    @Test("The registered names are tokens without duplicates")
    func registered() {
        let names: [HTTPFieldName] = [
            .accept, .acceptEncoding, .acceptLanguage, .age, .allow, .authorization, .cacheControl, .connection, .contentDisposition,
            .contentEncoding, .contentLanguage, .contentLength, .contentLocation, .contentRange, .contentType, .cookie, .date, .eTag,
            .expect, .expires, .host, .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince,
            .lastModified, .link, .location, .origin, .proxyAuthorization, .range, .referer, .retryAfter, .setCookie, .te,
            .transferEncoding, .userAgent, .vary, .wwwAuthenticate,
        ]
        #expect(names.allSatisfy { $0.isValid })
        #expect(Set(names).count == names.count)
    }
}
