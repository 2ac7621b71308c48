import Foundation
import Testing

@testable import MartletHTTP

private let mask = Redaction.mask

@Suite("Redaction: names and URLs", .timeLimit(.minutes(5)))
struct RedactionNameTests {
    @Test(
        "Names that look like secrets are recognised in any case and with any separators",
        arguments: [
            "token", "access_token", "refreshToken", "id-token", "X.Auth.Token", "password", "PASSWORD", "user_password", "passwd", "pwd",
            "pass",
            "client_secret", "apiKey", "api_key", "API-KEY", "x-api-key", "key", "code", "code_verifier", "client_assertion", "jwt", "otp",
            "pin",
            "sig", "signature", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "sid", "sessionid", "session", "auth",
            "Authorization", "cookie", "privateKey", "aws_access_key_id", "passphrase", "user[password]", "tokens[]", "user[pin]",
            "card.pin",
            "api%5Fkey", "user%5Bpin%5D", "t%256Fken",
            "X-Auth", "X-Auth-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "DD-APPLICATION-KEY", "X-Master-Key", "Authentication",
            "X-App-Key", "DPoP", "appid", "passcode", "hmac", "sas", "license_key", "SAMLResponse", "ticket", "oauth_verifier", "pw",
            "dbPw", "authCode", "verificationCode", "recoveryCodes", "AccountKey", "device_code", "deviceCode", "user_code", "totp",
            "userTotp",
            "mfa", "xsrf", "X-XSRF-TOKEN", "_xsrf", "PHPSESSID", "sessid",
        ])
    func secrets(name: String) {
        #expect(Redaction.isSecret(name))
    }

    @Test(
        "Ordinary names are not secrets",
        arguments: [
            "", "id", "name", "page", "q", "keyboard", "keys", "monkey", "author", "zipcode", "country_code", "pinned", "passenger",
            "design",
            "status", "sort_key_order", "[]", "%", "%zz", "mfa_enabled", "Access-Control-Allow-Credentials",
            "access-control-allow-credentials", "device", "codec",
        ])
    func ordinary(name: String) {
        #expect(!Redaction.isSecret(name))
    }

    @Test(
        "A URL keeps everything except its user, its password and the values of secret items",
        arguments: [
            ("https://h/p?q=1#top", "https://h/p?q=1#top"), ("https://h/p?q=1&token=abc&r=2", "https://h/p?q=1&token=\(mask)&r=2"),
            ("https://user:pw@h/p", "https://\(mask)@h/p"), ("https://user@h:8080/p@q", "https://\(mask)@h:8080/p@q"),
            ("https://h?u=a@b", "https://h?u=a@b"), ("https://h/?token=a=b=c", "https://h/?token=\(mask)"),
            ("https://h/?token=", "https://h/?token="),
            ("https://h/?token", "https://h/?token"), ("https://h/?TOKEN=x&token=y", "https://h/?TOKEN=\(mask)&token=\(mask)"),
            ("https://h/#access_token=abc&state=1", "https://h/#access_token=\(mask)&state=1"),
            ("https://h/?user%5Bpassword%5D=x", "https://h/?user%5Bpassword%5D=\(mask)"),
            ("https://h/?q=token%3Dabc", "https://h/?q=‹redacted›"), ("https://h/token/abc", "https://h/token/abc"),
            ("https://h/?a=1;token=x;b=2", "https://h/?a=1;token=\(mask);b=2"), ("https://h/?api%5Fkey=x", "https://h/?api%5Fkey=\(mask)"),
            ("mailto:a@b", "mailto:a@b"),
        ])
    func urls(text: String, expected: String) throws {
        #expect(Redaction.url(try #require(URL(string: text))) == expected)
    }
}

@Suite("Redaction: texts and bodies", .timeLimit(.minutes(5)))
struct RedactionTextTests {
    @Test(
        "JSON members with a secret name are masked, whatever their value",
        arguments: [
            (#"{"token":"abc","id":1}"#, #"{"token":"‹redacted›","id":1}"#), (#"{"token" : "abc"}"#, #"{"token" : "‹redacted›"}"#),
            (#"{"pin":1234}"#, #"{"pin":"‹redacted›"}"#), (#"{"pin":1234,"id":2}"#, #"{"pin":"‹redacted›","id":2}"#),
            (#"{"token":null}"#, #"{"token":"‹redacted›"}"#), (#"{"tokens":["a","b"],"id":1}"#, #"{"tokens":"‹redacted›","id":1}"#),
            (#"{"secret":{"a":{"b":"}"}},"id":1}"#, #"{"secret":"‹redacted›","id":1}"#),
            (#"{"user":{"password":"x","name":"n"}}"#, #"{"user":{"password":"‹redacted›","name":"n"}}"#),
            (#"[{"token":"a"},{"token":"b"}]"#, #"[{"token":"‹redacted›"},{"token":"‹redacted›"}]"#),
            (#"{"token":""}"#, #"{"token":"‹redacted›"}"#),
        ])
    func jsonMembers(text: String, expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test(
        "Escaped quotes, backslashes and brackets within a secret do not end it",
        arguments: [
            #"{"token":"a\"b secret","id":1}"#, #"{"token":"secret\\","id":1}"#, #"{"token":"\\\"secret","id":1}"#,
            #"{"token":["]","secret"],"id":1}"#, #"{"token":{"a":"\"}secret"},"id":1}"#,
        ])
    func escapes(text: String) {
        #expect(Redaction.text(text) == #"{"token":"‹redacted›","id":1}"#)
    }

    @Test(
        "A combining accent on a quote or an equals sign does not prevent masking",
        arguments: [
            "{\"token\":\"\u{301}my secret\"}", "{\"token\":\"a\\\"\u{301} secret\"}", "token=\u{301}secret",
            "{\"token\":\u{301}\"secret\"}",
        ])
    func combiningMarks(text: String) {
        #expect(!Redaction.text(text).contains("secret"))
    }

    @Test(
        "Text that is truncated within a secret is masked to its end",
        arguments: [
            #"{"token":"secr"#, #"{"token":"secr\"#, #"{"token":["secr"#, #"{"token":{"a":"secr"#, #"{"token": secr"#, "token=secr",
            #"token="secr"#,
        ])
    func cut(text: String) {
        #expect(!Redaction.text(text).contains("secr"))
    }

    @Test(
        "Text that only looks like a member is unchanged",
        arguments: [
            #"{"kind":"token","id":1}"#, #"["token","abc"]"#, #"{"id":"1","name":"a=b"}"#, "", "plain words",
            "{\"a\":\"b\\\"\"}", "\"", "\"\\", ":", "=", "::\"=\"", "é☂=1", "a==b",
        ])
    func untouched(text: String) {
        #expect(Redaction.text(text) == text)
    }

    @Test(
        "Form fields with a secret name are masked",
        arguments: [
            ("grant_type=password&username=u&password=p%26q&scope=a", "grant_type=password&username=u&password=\(mask)&scope=a"),
            ("client_secret=x", "client_secret=\(mask)"), ("user[password]=x&a=1", "user[password]=\(mask)&a=1"),
            ("a&b=c%20d&", "a&b=c%20d&"),
            ("a=token%3Dx&b=1", "a=\(mask)&b=1"), ("token=x;y&b=1", "token=\(mask)&b=1"),
        ])
    func pairs(text: String, expected: String) {
        #expect(Redaction.body(Data(text.utf8), type: "application/x-www-form-urlencoded") == expected)
    }

    @Test(
        "In prose, the text after a secret name is masked up to the end of the line",
        arguments: [
            ("a=1 token=x b=2", "a=1 token=\(mask)"), ("token=x\nid=1", "token=\(mask)\nid=1"),
            ("token=x\r\nid=1", "token=\(mask)\r\nid=1"), ("at https://h/?token=x&page=2 now", "at https://h/?token=\(mask)&page=2 now"),
            ("data: {\"token\":\"x\",\"id\":1}\nid: 2", "data: {\"token\":\"\(mask)\",\"id\":1}\nid: 2"),
            ("password: {\n  \"a\": 1\n}", "password: \(mask)"), ("[error] no token", "[error] no token"),
        ])
    func prose(text: String, expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test(
        "A quoted value of a pair is masked completely",
        arguments: [
            (#"token="two words" id="1""#, #"token=‹redacted› id="1""#), (#"password="a\"b c""#, "password=‹redacted›"),
            (#"pin='1 2' id=1"#, "pin=‹redacted› id=1"),
        ])
    func quotedPairs(text: String, expected: String) {
        #expect(Redaction.text(text) == expected)
    }

    @Test("The items of a URL within a JSON member are masked")
    func urlInJSON() {
        #expect(Redaction.text(#"{"next":"https://h/?token=abc&page=2"}"#) == #"{"next":"https://h/?token=‹redacted›&page=2"}"#)
    }

    @Test("An error's code is shown in JSON, and an authorization code is masked in a query")
    func codes() {
        #expect(Redaction.text(#"{"code":"NOT_FOUND","key":"name","pin":"1"}"#) == #"{"code":"NOT_FOUND","key":"name","pin":"‹redacted›"}"#)
        #expect(Redaction.text("?code=abc&key=def") == "?code=‹redacted›&key=‹redacted›")
    }

    @Test("JSON within a JSON member is masked")
    func jsonInJSON() {
        #expect(!Redaction.text(#"{"body":"{\"password\":\"secret\",\"id\":1}"}"#).contains("secret"))
    }
}

@Suite("Redaction: bodies", .timeLimit(.minutes(5)))
struct RedactionBodyTests {
    private func snippet(_ text: String, limit: Int = 200) -> String { Redaction.body(Data(text.utf8), type: nil, limit: limit) }

    @Test(
        "Text, XML and HTML are shown masked; a body that can't be parsed, or of an unlisted type, as type and length",
        arguments: [
            ("application/xml", "<a><id>1</id><password>S3CRET</password></a>", "<a><id>1</id><password‹redacted›</password></a>"),
            ("application/soap+xml", "<wsse:Password>S3CRET</wsse:Password>", "<wsse:Password‹redacted›</wsse:Password>"),
            ("text/html; charset=utf-8", "<p>Sorry</p><input name=token value=S3CRET>", "<p>Sorry</p><input‹redacted›>"),
            ("text/xml", "<name>password</name><value>S3CRET</value>", "<name>password</name><value>‹redacted›</value>"),
            ("text/xml; charset=utf-16", "\u{0}<\u{0}a", "<text/xml, 4 bytes>"), ("image/png", "<a>", "<image/png, 3 bytes>"),
            ("application/json", #"{"token":"S3CRET","name"#, "<application/json, 23 bytes>"), ("text/csv", "a,b", "<text/csv, 3 bytes>"),
            ("multipart/form-data; boundary=b", "--b\r\n", "<multipart/form-data, 5 bytes>"), ("no type", "S3CRET", "<no type, 6 bytes>"),
            ("application/problem+json", #"{"pin":1}"#, #"{"pin":"‹redacted›"}"#), ("text/plain", "pin: 1", "pin: ‹redacted›"),
        ])
    func types(type: String, body: String, shown: String) {
        #expect(Redaction.body(Data(body.utf8), type: type) == shown)
    }

    @Test(
        "The start of a body that is not valid JSON is shown, with what may be a secret masked",
        arguments: [
            ("[1, 2\n", "[1, 2\n"), (#"{"a": NaN, "b": 1}"#, #"{"a": NaN, "b": 1}"#), ("<h1>busy</h1>", "<h1>busy</h1>"),
            ("Warning: x in a.php\n{\"token\":\"S3CRET\",\"id\":1}", "Warning: x in a.php\n{\"token\":\"‹redacted›\",\"id\":1}"),
            (#"{"id":1,"url":"https://h/?token=S3CRET"#, #"<application/json, 38 bytes>"#),
            (#"{"id":1,"value":"S3CRET","name"#, #"{"id":1,"value":‹redacted›,"name"#), ("{", "{"),
            (#"{"id":1,"input":"S3CRET","loc":["body","#, #"{"id":1,"input":‹redacted›,"loc":["body","#),
            (#"{"id":1,"#, #"{"id":1,"#),
        ])
    func invalid(body: String, shown: String) {
        #expect(Redaction.body(Data(body.utf8), type: "application/json") == shown)
    }

    @Test("Only the start of a long body of invalid JSON is read")
    func longInvalid() {
        let body = Data(("<p>" + String(repeating: "value: ", count: 30_000)).utf8)
        #expect(MaskingCostTests.steps { _ = Redaction.body(body, type: "application/json") } <= body.count + 60_000)
    }

    @Test("A secret in a long body of invalid JSON is masked if its name may follow after the start that is read")
    func cutInvalid() {
        let members = #"{"value":"hunter2","m":{},"# + String(repeating: #""a":1,"#, count: 1_000) + #""field":"password", "x":NaN}"#
        let page = #"<h1>busy</h1><textarea name="password">hunter2"# + String(repeating: " a", count: 3_000) + "</textarea>"
        #expect(!Redaction.body(Data(members.utf8), type: "application/json").contains("hunter2"))
        let shown = Redaction.body(Data(page.utf8), type: "application/json")
        #expect(shown.hasPrefix("<h1>busy</h1>") && !shown.contains("hunter2"))
    }

    @Test("A long JSON body is read completely up to a limit; beyond it, none of it is shown")
    func long() {
        let list = "[" + String(repeating: #"{"id":1},"#, count: 10_000) + #"{"value":"S3CRET","name":"pin"}]"#
        #expect(Redaction.body(Data(list.utf8), type: "application/json").hasPrefix(#"[{"id":1},{"id":1}"#))
        #expect(Redaction.body(Data(list.utf8), type: "application/json", isStart: true) == "<application/json, more than 90033 bytes>")
        let large = Data("[\(String(repeating: " ", count: Redaction.maxJSONLength))]".utf8)
        #expect(Redaction.body(large, type: "application/json") == "<application/json, 262146 bytes>")
    }

    @Test("A short body is shown completely, and a long one is marked as truncated")
    func cutting() {
        #expect(snippet("hello") == "hello")
        #expect(snippet("") == "")
        #expect(snippet(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
        #expect(snippet(String(repeating: "a", count: 201)) == String(repeating: "a", count: 200) + "…")
    }

    @Test("Secrets are masked before the text is truncated, so that no part of one is shown")
    func hidesBeforeCutting() {
        let body = #"{"a":""# + String(repeating: "x", count: 180) + #"","token":"secret-secret-secret"}"#
        #expect(!snippet(body).contains("secr"))
        let long = #"{"token":""# + String(repeating: "s", count: 10_000)
        #expect(snippet(long) == "‹redacted›")
    }

    @Test("A body that is not UTF-8 is shown by its length only")
    func binary() {
        #expect(Redaction.body(Data([0xFF, 0xD8, 0xFF]), type: nil) == "<no type, 3 bytes>")
        #expect(Redaction.body(Data([0x61, 0xE9, 0x62]), type: "") == "<no type, 3 bytes>")
    }

    @Test("A character truncated at the limit does not make a text binary", arguments: ["é", "☂", "🐦"])
    func cutScalar(character: String) {
        for padding in 0..<4 {
            let text = String(repeating: "a", count: padding) + String(repeating: character, count: 5_000)
            #expect(snippet(text).hasPrefix(String(repeating: "a", count: padding) + character))
        }
    }

    @Test("The indices of a data slice are respected")
    func slices() {
        let data = Data("xxxxtoken=abc&id=1".utf8).dropFirst(4)
        #expect(Redaction.body(data, type: "application/x-www-form-urlencoded") == "token=\(mask)&id=1")
    }

    @Test("Masking does not reveal text whose secret name may follow after the limit")
    func shrinking() {
        let token = String(repeating: "A", count: 2_500)
        let body = #"{"token":"\#(token)","d":"p","e":[1,2,{"value":"hunter2","name":"password"#
        #expect(Redaction.body(Data(body.utf8), type: nil, limit: 4_096, isStart: true) == "‹redacted›…")
    }

    @Test("UTF-16, including UTF-8 with zeros, is not treated as text")
    func zeros() {
        #expect(Redaction.body(Data(#"{"password":"hunter2"}"#.utf16.flatMap { [UInt8($0), 0] }), type: nil) == "<no type, 44 bytes>")
    }

    @Test("Truncation counts code points, because one character may have any number of them")
    func longCharacters() {
        #expect(Redaction.line("a" + String(repeating: "\u{301}", count: 100_000), limit: 100).unicodeScalars.count == 101)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RedactedReflectionTests {
    private struct Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
        let password = "hunter2"
        var description: String { "a secret" }
    }

    private final class Holder: CustomReflectable, RedactedReflection {
        let password = "hunter2"
    }

    @Test("Reflection, dumps and debug descriptions show the description only")
    func reflection() {
        var dumped = ""
        dump([Secret()], to: &dumped)
        dump(Holder(), to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(String(reflecting: Secret()) == "a secret")
        #expect("\([Secret()])" == "[a secret]")
        #expect(!String(reflecting: Holder()).contains("hunter2"))
        #expect(Mirror(reflecting: Holder()).children.isEmpty)
    }
}
