import Foundation
import Testing

@testable import MartletCore

@Suite("Redaction: secrets in other shapes")
struct SecretShapesTests {
    @Test(
        "A secret is hidden in whatever shape it is written",
        arguments: [
            "{'password':'S3CRET'}", "password: S3CRET", "password = S3CRET", "password='S3CRET'", "password : 'S3CRET', id: 1",
            "<password>S3CRET</password>", "<a><password type=\"x\">S3CRET</password></a>", #"{"passw\u006frd":"S3CRET"}"#,
            #"{"\u0070assword":"S3CRET"}"#, "Authorization: Bearer S3CRET", "Cookie: a=S3CRET; b=S3CRET", "said: Bearer S3CRET-token.x",
            #"{"name":"Authorization","value":"S3CRET"}"#, #"{"value":"S3CRET","name":"Authorization"}"#,
            #"{"name" : "X-Api-Key", "comment":"", "value" : "S3CRET"}"#, #"{"key":"password","value":["S3CRET"]}"#,
            "see https://me:S3CRET@host/path", "at postgres://me:S3CRET@host:1/x?y", #"{"cvv":"S3CRET","a":1}"#, #"{"ssn":"S3CRET"}"#,
            #"{"card_number":"S3CRET"}"#, #"{"bearer":"S3CRET"}"#, "User(name: \"a\", password: \"S3CRET\")",
            "User(token: Optional(\"S3CRET\"))", "password:\tS3CRET\nnext",
        ])
    func shapes(text: String) { #expect(!Redaction.text(text).contains("S3CRET"), "\(Redaction.text(text))") }

    @Test(
        "What is no secret stays",
        arguments: [
            "https://host/a:b@c", "a bearer of news", "12:30", "<b>bold</b>", #"{"name":"Ada","value":"36"}"#, "note: a <- b", "x < y > z",
            "the id: 7", #"{"value":"36"}"#, "mailto:ada@host",
        ])
    func untouched(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "What was meant for a URL and is none hides its user too",
        arguments: ["//u:S3CRET@[/", "http://u:S3CRET@[/", "mailto:u:S3CRET@h", "u:S3CRET@h", "a?token=S3CRET#x", "//S3CRET@h/p"])
    func addresses(text: String) { #expect(!Redaction.address(text).contains("S3CRET"), "\(Redaction.address(text))") }

    @Test("What is very long is cut")
    func long() {
        let long = String(repeating: "x", count: 10_000_000)
        #expect(Redaction.quote(long).count < 600)
        #expect(Redaction.address("http://h/" + long).count < 600)
        #expect(Redaction.quote("short") == "short")
    }

    @Test("Fields, requests, responses and errors show no credential, however they are printed")
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
}
