import Foundation
import Testing

@testable import MartletClient
@testable import MartletHTTP

@Suite("Redaction: secrets in other shapes", .timeLimit(.minutes(5)))
struct SecretShapesTests {
    @Test(
        "A secret is masked in every notation",
        arguments: [
            "{'password':'S3CRET'}", "password: S3CRET", "password = S3CRET", "password='S3CRET'", "password : 'S3CRET', id: 1",
            "<password>S3CRET</password>", "<a><password type=\"x\">S3CRET</password></a>", #"{"passw\u006frd":"S3CRET"}"#,
            #"{"\u0070assword":"S3CRET"}"#, "Authorization: Bearer S3CRET", "Cookie: a=S3CRET; b=S3CRET", "said: Bearer S3CRET-token.x",
            #"{"name":"Authorization","value":"S3CRET"}"#, #"{"value":"S3CRET","name":"Authorization"}"#,
            #"{"name" : "X-Api-Key", "comment":"", "value" : "S3CRET"}"#, #"{"key":"password","value":["S3CRET"]}"#,
            "see https://me:S3CRET@host/path", "at postgres://me:S3CRET@host:1/x?y", #"{"cvv":"S3CRET","a":1}"#, #"{"ssn":"S3CRET"}"#,
            #"{"card_number":"S3CRET"}"#, #"{"bearer":"S3CRET"}"#, "User(name: \"a\", password: \"S3CRET\")",
            "User(token: Optional(\"S3CRET\"))", "password:\tS3CRET\nnext", "Authorization=Bearer S3CRET", "Authorization = Basic  S3CRET",
            #"{"n":"eyJhbGciOiJIUzI1NiJ9.S3CRET.sig"}"#, "at eyJhbGciOiJIUzI1NiJ9.S3CRET.sig, then",
            "-----BEGIN PRIVATE KEY-----\nS3CRET\n-----END PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\nS3CRET",
            #"{"k":"-----BEGIN EC PRIVATE KEY-----\nS3CRET\n-----END EC PRIVATE KEY-----\n"}"#, "-----BEGIN PRIVATE KEY-----S3CRET",
            "?variables=%7B%22password%22%3A%22S3CRET%22%7D", "?next=https%3A%2F%2Fa%2F%3Ftoken%3DS3CRET&x=1",
            "a=b%253Fpassword%253DS3CRET", #"{"otp_code":"S3CRET"}"#, #"{"mfaCode":"S3CRET"}"#, "csrf_token=S3CRET", "Domain=a&Code=S3CRET",
            "Domain = a Code=S3CRET",
        ])
    func shapes(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test(
        "Text next to a secret, and text that only looks like one, is unchanged",
        arguments: [
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "eyJ is how it begins", "keyJamb.b.c",
            "a=50%25&b=%7B%22c%22%7D",
            "Bearer of news", "a=b%zz%4", "Error Domain=NSPOSIXErrorDomain Code=21 \"Is a directory\"",
        ])
    func kept(text: String) { #expect(Redaction.text(text) == text) }

    @Test("Text after a masked token is kept")
    func after() {
        #expect(Redaction.text("a eyJhbGciOiJIUzI1NiJ9.S3CRET.sig b") == "a ‹redacted› b")
        #expect(Redaction.text("?next=a%3Ftoken%3DS&b=1") == "?next=‹redacted›&b=1")
        #expect(Redaction.text("Authorization=Basic S3CRET\nb") == "Authorization=‹redacted›\nb")
    }

    @Test(
        "XML is masked in qualified names, sections, nested elements, and truncated text",
        arguments: [
            "<wsse:Password Type=\"t\">S3CRET</wsse:Password>", "<password><![CDATA[S3CRET]]></password>",
            "<password><value>S3CRET</value></password><id>1</id>", "<id>1</id><password><value>S3CRET",
            "<a>b<password>S3CRET</password></a>",
            "<password\nkind='x'>S3CRET</password>", "<user password=\"S3CRET\"/>", "<PASSWORD>S3CRET</PASSWORD>",
        ])
    func elements(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test("An element is masked up to its own end, and text that only looks like one is unchanged")
    func elementEnds() {
        #expect(Redaction.text("<a><pin>1</pin><b>2</b></a>") == "<a><pin\(Redaction.mask)</pin><b>2</b></a>")
        #expect(Redaction.text("<password/><id>1</id>") == "<password\(Redaction.mask)><id>1</id>")
        #expect(Redaction.text("Array<Token> was expected and null was found") == "Array<Token> was expected and null was found")
    }

    @Test(
        "Pairs are masked in the notations of properties, hashes and literals",
        arguments: [
            #""password" = "S3CRET""#, #""password"=>"S3CRET""#, "'password' => 'S3CRET'", ":password => S3CRET", "password := S3CRET",
            "password = two words S3CRET\nid = 1", #"["password": "S3CRET"]"#, "{password:S3CRET}", "password=[\"S3CRET\"]",
            "Authorization: Basic\tS3CRET", "token=[a]S3CRET", #"https://h/?a=b&token="S3CRET""#, "?token='S3CRET'",
            "said Bearer  S3CRET-token", "bearer\tS3CRET-token",
        ])
    func assignments(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test(
        "Escapes in JSON strings do not prevent masking",
        arguments: [
            #"{"body":"{\u0022password\u0022:\u0022S3CRET\u0022}"}"#, #"{"a":"https:\/\/me:S3CRET@host\/p"}"#,
            #"{"log":"line\npin: S3CRET\nline"}"#, #"{"log":"line\tpin=S3CRET"}"#, #"{"body":"{\"passw\\u006frd\":\"S3CRET\"}"}"#,
            #"{"body":"{\"a\":\"{\\\"pin\\\":\\\"S3CRET\\\"}\"}"}"#, #"{"\u0050IN":"S3CRET"}"#,
        ])
    func escapes(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test(
        "A value is masked if its name stands next to it in the same object",
        arguments: [
            #"{"name":"Authorization","meta":{"a":1},"value":"S3CRET"}"#, #"{"value":"S3CRET","meta":{"a":"}"},"name":"Cookie"}"#,
            #"{"headers":[{"name":"Accept","value":"*/*"},{"name":"Cookie","value":"S3CRET"}]}"#,
            #"{"name":"Cookie","meta":[{"name":"x","value":"y"}],"value":{"a":["S3CRET"]}}"#,
            #"{"body":"{\"name\":\"Cookie\",\"value\":\"S3CRET\"}"}"#, #"{"Name":"Cookie","Value":"S3CRET"}"#,
        ])
    func neighbours(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test("The name in one object does not affect a value in another")
    func strangers() {
        let text = #"[{"name":"Cookie"},{"value":"a"},{"name":"Accept","value":"b","of":{"name":"Cookie"}}]"#
        #expect(Redaction.text(text) == text)
    }

    @Test(
        "Names of several words are secret if the last word is",
        arguments: [
            "user_pin", "userPin", "card-cvc", "cardCVV", "user_ssn", "creditCardNumber", "card[number]", "db_pwd", "X-Auth-Jwt", "otp",
        ])
    func names(name: String) { #expect(Redaction.isSecret(name)) }

    @Test(
        "Words that only contain a secret word are not secrets",
        arguments: ["spin", "shopping", "pin_color", "copier", "hairpin", "userSpin"])
    func plainNames(name: String) { #expect(!Redaction.isSecret(name)) }

    @Test(
        "Values that are not secrets are kept",
        arguments: [
            "https://host/a:b@c", "a bearer of news", "12:30", "<b>bold</b>", #"{"name":"Ada","value":"36"}"#, "note: a <- b", "x < y > z",
            "the id: 7", #"{"value":"36"}"#, "mailto:ada@host",
        ])
    func untouched(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "The user in an invalid URL is masked too",
        arguments: [
            "//u:S3CRET@[/", "http://u:S3CRET@[/", "mailto:u:S3CRET@h", "u:S3CRET@h", "a?token=S3CRET#x", #"/a?{"password":"S3CRET"}"#,
            "/a?%7B%22pin%22%3A%22S3CRET%22%7D", "/a#eyJhbGciOiJIUzI1NiJ9.S3CRET.sig", "//S3CRET@h/p",
        ])
    func addresses(text: String) { #expect(!Redaction.address(text).contains("S3CRET"), "\(Redaction.address(text))") }

    @Test(
        "Passwords with delimiters of an authority, path parameters, and truncated users are masked",
        arguments: [
            "https://u:a/S3CRET@h/p", "https://u:a?S3CRET@h/p", "https://u:a#S3CRET@h/p", "https://u:a/b?c=S3CRET@h",
            "https://h/p;jsessionid=S3CRET", "https://h/p;token=S3CRET/q?r=1",
            "https://S3CRET" + String(repeating: "x", count: 9_000) + "@h/",
        ])
    func passwords(text: String) {
        #expect(!Redaction.address(text).contains("S3CRET"), "\(Redaction.address(text))")
        #expect(!Redaction.quote(text).contains("S3CRET"), "\(Redaction.quote(text))")
    }

    @Test(
        "A URL without secrets is unchanged",
        arguments: ["https://h:8080/@user", "https://[::1]:80/a:b@c", "https://h/a=b;c=d", "//h/p", "https://h/p?x=a@b", "p/q@r"])
    func plainAddresses(text: String) { #expect(Redaction.address(text) == text) }

    @Test(
        "No part of a secret remains wherever a text is truncated",
        arguments: [
            "{'password':'S3CRET'}", "password = S3CRET", "<a><password><b>S3CRET</b></password></a>", #"{"passw\u006frd":"S3CRET"}"#,
            "Authorization: Bearer S3CRET", #"{"name":"Cookie","value":"S3CRET"}"#, "see https://me:S3CRET@host/p", #"{"pin":["S3CRET"]}"#,
            #"{"a":"{\"b\":\"{\\\"pin\\\":\\\"S3CRET\\\"}\"}"}"#, "https://h/?token=S3CRET&x=1", "at https://u:a/S3CRET@h",
        ])
    func cutAnywhere(text: String) {
        for count in 0...text.count {
            #expect(!Redaction.text(text.prefix(count)).contains("S3"), "\(text.prefix(count))")
        }
    }

    @Test(
        "A URL at the end of a sentence is kept", arguments: ["at http://host:8080.", "(http://host:8080), then", "http://host: refused"])
    func sentences(text: String) { #expect(Redaction.text(text) == text) }

    @Test("Text of any kind and nesting is masked")
    func anything() async {
        var numbers = Numbers(state: 2026)
        let pieces = [
            "\"", "\\", "'", "<", ">", "</", "/", "{", "}", "[", "]", ":", "=", "//", "@", " ", "\n", "\t", "token", "pin", "name", "value",
            "Bearer ", "\\u0022", "\\u00", "%", "%3D", "é", "😀", ",", "&", "x", "]]>", "=>", "?",
        ]
        for _ in 0..<1_000 {
            await Task.yield()
            let text = (0..<Int.random(in: 0..<24, using: &numbers)).reduce(into: "") { text, _ in
                text += pieces.randomElement(using: &numbers) ?? ""
            }
            #expect(Redaction.text(text).utf8.count <= text.utf8.count * 12 + 64)
            #expect(Redaction.address(text).utf8.count <= text.utf8.count * 12 + 64)
        }
        for text in ["\"", "\\\"", "\"\\", "{", "<token>", "\"value\":", "a://u:x", "bearer ", "=", "a=a=%", "--\n", "<a id=pin>"] {
            #expect(!Redaction.text(String(repeating: text, count: 500)).isEmpty)
        }
    }

    /// Repeatable random numbers (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("Very long texts are truncated")
    func long() {
        let long = String(repeating: "x", count: 10_000_000)
        #expect(Redaction.quote(long).count < 600)
        #expect(Redaction.address("http://h/" + long).count < 600)
        #expect(Redaction.quote("short") == "short")
    }

    @Test("Descriptions of fields, requests, responses and errors never show credentials")
    func printed() {
        var marked: HTTPFields = ["Authorization": "Bearer S3CRET", "X-Api-Key": "S3CRET", "Set-Cookie": "sid=S3CRET", "X-Mine": "S3CRET"]
        marked.markAsCredential("X-Mine")
        let request = HTTPRequest(url: URL(string: "https://h/?token=S3CRET")!, headers: marked, body: HTTPBody(#"{"password":"S3CRET"}"#))
        var response = HTTPResponse(status: .badRequest, headers: marked, body: Data(#"{"token":"S3CRET"}"#.utf8))
        response.metadata.request = request
        let error = HTTPError.statusCode(response)
        let values: [Any] = [
            marked, marked[0], request, response, error, error.context, Request<Data>.get(url: request.url), response.map { HTTPBody($0) },
            Result<Int, HTTPError>.failure(error), [request], ["a": response],
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("S3CRET"), "\(text)") }
        }
        #expect("\(marked)".contains("Authorization: \(Redaction.mask)"))
    }

    @Test(
        "An HTML tag with a secret name is masked, and other tags are not",
        arguments: [
            (#"<input type="hidden" name="csrf_token" value="s3cret"> x"#, "<input‹redacted›> x"),
            ("<input value='s3cret' name='csrf_token'>", "<input‹redacted›>"),
            ("<meta name=csrf-token content=s3cret>", "<meta‹redacted›>"),
            (#"<entry key="password">s3cret</entry><b>"#, "<entry‹redacted›</entry><b>"),
            (#"<input name="user" value="ada"><b>"#, #"<input name="user" value="ada"><b>"#),
            (#"<p id="password"></p><input name="user" value="ada">"#, #"<p‹redacted›</p><input name="user" value="ada">"#),
        ])
    func tags(html: String, shown: String) {
        #expect(Redaction.text(html) == shown)
    }

    @Test(
        "Secrets in unstructured text are masked",
        arguments: [
            ("GET https://h/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret failed", "s3cret"),
            (#"Error: {"key":"password","value":"s3cret"} (400)"#, "s3cret"),
            (#"Error: {"value":"s3cret","name":"password"} (400)"#, "s3cret"),
            ("HTTP 400: {\n \"name\": \"password\",\n \"value\": \"s3cret\"\n}", "s3cret"),
            ("https://h/?token=it's-s3cret", "s3cret"), ("https://h/?password=a'b's3cret&x=1", "s3cret"),
            (#"{"card number":"4111111111111111", broken"#, "4111111111111111"), (#"Config: {"api key": "s3cret"} x"#, "s3cret"),
            (#""security code": "s3cret""#, "s3cret"), (#"{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret":"active"}"#, "s3cret"),
            (#"{"https://user:s3cret@h/": 1}"#, "s3cret"),
            ("private_key=-----BEGIN PRIVATE KEY-----\nMIIEs3cret\n-----END PRIVATE KEY-----", "s3cret"),
        ])
    func textWithoutStructure(text: String, secret: String) {
        #expect(!Redaction.text(text).contains(secret), "\(Redaction.text(text))")
    }

    @Test("A URL in apostrophes ends with them, and harmless members of an object are kept")
    func plain() {
        #expect(Redaction.text("'https://h/?token=s3cret' failed").hasSuffix("' failed"))
        #expect(Redaction.text(#"Error: {"name":"city","value":"Bern"} (400)"#).contains("Bern"))
    }
}
