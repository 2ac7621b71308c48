import Testing

@testable import MartletHTTP

@Suite("What the name of a field says about the user", .timeLimit(.minutes(5)))
struct FieldKindTests {
    /// Credentials whose names look ordinary.
    static let ordinary = [
        "X-Query-Key", "X-Appwrite-Key", "X-MC-Auth", "X-Honeycomb-Team", "X-Remote-User", "X-2FA-Code", "X-Forwarded-Client-Cert",
    ]

    private func kind(_ name: String) -> FieldKind { FieldKind(Array(name.utf8)[...]) }

    @Test(
        "A field of an unknown name is not harmless", arguments: ordinary + ["X-App", "baggage", "Accepted", "Rangefinder", "If", "", "TE"])
    func unknown(name: String) {
        #expect(kind(name) == .unknown)
    }

    @Test(
        "Fields of HTTP, of tracing and of protocols that Martlet speaks are harmless at another origin, in any case",
        arguments: [
            "Accept", "accept-encoding", "ACCEPT-LANGUAGE", "Accept-Charset", "Accept-Whatever", "User-Agent", "Content-Type",
            "Content-Length", "Content-Encoding", "Content-Digest", "Range", "If-Match", "If-None-Match", "If-Range",
            "If-Unmodified-Since", "traceparent", "Tracestate", "Tus-Resumable", "Upload-Length", "Upload-Offset", "Upload-Metadata",
            "Last-Event-ID", "Apollo-Require-Preflight",
        ])
    func portable(name: String) {
        #expect(kind(name) == .harmless(isPortable: true))
    }

    @Test(
        "Fields that do not identify the user are not sent to another origin for that",
        arguments: [
            "Cache-Control", "Pragma", "Prefer", "Origin", "Referer", "Idempotency-Key", "X-Request-ID", "x-correlation-id",
            "Tus-Extension", "Upload-Defer-Length", "Host",
        ])
    func harmless(name: String) {
        #expect(kind(name) == .harmless(isPortable: false))
    }

    @Test(
        "A name that indicates a credential is one, also with the beginning of a harmless name",
        arguments: [
            "Authorization", "Cookie", "X-Api-Key", "Accept-Token", "Content-Signature", "If-Session", "Upload-Token", "Tus-Secret",
        ])
    func credentials(name: String) {
        #expect(kind(name) == .credential)
    }

    @Test("A mark on a line, and the app's declaration, take precedence over the name, but Authorization and Cookie stay credentials")
    func precedence() {
        let named: Set<HTTPFieldName> = ["x-tenant", "X-Session-Affinity", "X-Marked", .authorization, .cookie, .proxyAuthorization]
        var fields: HTTPFields = [
            "X-Tenant": "1", "X-Session-Affinity": "2", "X-Marked": "3", "Authorization": "4", "Cookie": "5", "Proxy-Authorization": "6",
            "X-App-Version": "7", "X-Other": "8", "Accept": "9",
        ]
        fields.markAsCredential("X-Marked")
        fields.markAsHarmless("X-App-Version")
        var portable = fields, harmless = fields, withoutDeclaration = fields
        portable.removeAllButPortable(naming: named)
        harmless.removePersonal(naming: named)
        withoutDeclaration.removePersonal(naming: [])
        #expect(portable.map(\.value) == ["1", "2", "9"])
        #expect(harmless.map(\.value) == ["1", "2", "7", "9"])
        #expect(withoutDeclaration.map(\.value) == ["7", "9"])
        #expect(fields.hasPersonal(naming: named) && !harmless.hasPersonal(naming: named) && harmless.hasPersonal(naming: []))
    }

    @Test("A new value of a field that Martlet added is the app's")
    func replaced() {
        var fields: HTTPFields = ["X-App-Version": "7"]
        fields.markAsHarmless("X-App-Version")
        var added: HTTPFields = [:]
        added.addMissing(fields)
        #expect(!added.hasPersonal(naming: []))
        fields["X-App-Version"] = "8"
        #expect(fields.hasPersonal(naming: []))
    }
}
