import Foundation
import Testing

@testable import MartletHTTP

@Suite("Redaction: variables of GraphQL", .timeLimit(.minutes(5)))
struct GraphQLVariablesTests {
    @Test(
        "A variable with the name of a secret is no secret",
        arguments: [
            "query Q($p: String!) { secret(password: $p) { id } }", "mutation M($password: String!) { login(password: $password) { id } }",
            "mutation M($token: String, $pins: [Int!]!) {\n  a(token: $token, pins: $pins)\n}",
            "subscription($pin: Int) { a(pin: $pin) }",
        ])
    func variables(document: String) {
        #expect(Redaction.text(document) == document)
        let body = JSONText.line(.object(["query": .string(document), "variables": [:]]))
        #expect(Redaction.body(Data(body.utf8), type: "application/json", limit: 1_000) == body)
    }

    @Test(
        "A value in a document is masked, and a word that only looks like a variable is too",
        arguments: [
            #"query { secret(password: "hunter2") { id } }"#, #"query Q($password: String = "hunter2") { a }"#,
            "query Q($p: String) { secret(password: $hunter2) }", "query failed: password: $hunter2", "password: $hunter2",
        ])
    func values(text: String) { #expect(!Redaction.text(text).contains("hunter2"), "\(Redaction.text(text))") }
}
