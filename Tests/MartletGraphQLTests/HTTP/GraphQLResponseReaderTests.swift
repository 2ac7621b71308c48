import MartletEssentials
import MartletGraphQL
import MartletTesting
import Testing

@Suite("GraphQL responses", .timeLimit(.minutes(5)))
struct GraphQLResponseReaderTests {
    private func ask<D: Decodable & Sendable>(_ reply: MockReply, as type: D.Type = Wire.HeroData.self) async -> GraphQLOutcome<D> {
        let client = Wire.client(MockTransport(reply))
        let operation = Wire.hero.decoding(as: D.self)
        do throws(GraphQLError) { return .success(try await client.response(for: operation)) } catch { return .failure(error) }
    }

    private func failure(_ reply: MockReply) async -> HTTPError? {
        if case .failure(.http(let error)) = await ask(reply) { error } else { nil }
    }

    private func isIllFormed(_ reply: MockReply) async -> Bool {
        if case .decodingFailed? = await failure(reply) { true } else { false }
    }

    @Test(
        "Data alone is complete, data with errors is partial, and errors alone are a failure",
        arguments: ["application/json", "application/graphql-response+json"])
    func shapes(media: String) async throws {
        let complete = try await ask(.data(Data(Wire.swift.utf8), contentType: media)).get()
        #expect(complete.result.isComplete && complete.result.data?.hero?.name == "Swift")
        let partial = #"{"errors":[{"message":"the nest is secret","path":["hero","nest"]}],"data":{"hero":{"name":"Swift"}}}"#
        let both = try await ask(.data(Data(partial.utf8), contentType: media)).get()
        #expect(both.result.data != nil && both.result.errors.map(\.message) == ["the nest is secret"])
        #expect(both.result.errors.first?.response?.status == .ok)
        let failed = try await ask(.data(Data(Wire.refused.utf8), contentType: media)).get()
        #expect(failed.result.data == nil && failed.result.errors.count == 1)
    }

    @Test(
        "An error status with GraphQL in the body is a GraphQL response in either media type (GraphQL over HTTP §6.4)",
        arguments: [400, 401, 422, 500, 503] as [HTTPStatus])
    func errorStatusWithGraphQL(status: HTTPStatus) async throws {
        for media in ["application/json", "application/graphql-response+json"] {
            let reply = MockReply.data(Data(Wire.refused.utf8), contentType: media, status: status)
            let response = try await ask(reply).get()
            #expect(response.result.errors.count == 1 && response.http.status == status)
        }
    }

    @Test("An error status without GraphQL is a status error with its body")
    func errorStatusWithoutGraphQL() async {
        let html = "<html><body>502 Bad Gateway</body></html>", words = "Unknown operation named \"C\"."
        let answers: [(body: String, type: String?)] = [
            (html, "text/html"), (html, nil), (html, "application/json"), (#"{"error":"no route"}"#, "application/json"),
            (#"{"data":{"hero":null}}"#, "application/json"), ("", nil), ("[]", "application/json"), (#"{"data":"#, "application/json"),
            (words, "text/plain"),
        ]
        for answer in answers {
            let error = await failure(.data(Data(answer.body.utf8), contentType: answer.type, status: 502))
            guard case .statusCode(let response)? = error else {
                Issue.record("\(answer): \(String(describing: error))")
                continue
            }
            #expect(response.status == 502 && response.body == Data(answer.body.utf8))
        }
    }

    @Test("A success status without GraphQL is a decoding error with its body")
    func successWithoutGraphQL() async {
        let html = MockReply.data(Data("<html>login</html>".utf8), contentType: "text/html; charset=utf-8")
        #expect(await isIllFormed(html))
        let error = await failure(html)
        #expect(error?.response?.body == Data("<html>login</html>".utf8) && error?.description.contains("text/html") == true)
        for body in [
            "<html>login</html>", #"{"data":{"hero":{"name":"Sw"#, "{}", "null", "[]", "17", #"{"data":null}"#, #"{"extensions":{}}"#,
            #"{"errors":[]}"#, #"{"errors":[{}]}"#, #"{"errors":[{"message":7}]}"#, #"{"errors":{"message":"x"}}"#, #"{"errors":"x"}"#,
            #"{"data":[]}"#, #"{"data":"x"}"#, #"{"data":{"hero":{"name":7}}}"#, #"{"data":null,"errors":[]}"#,
            #"{"data":null,"errors":null}"#,
        ] {
            #expect(await isIllFormed(.json(body)), "\(body)")
        }
    }

    @Test("An empty or null list of errors counts as no errors")
    func emptyErrors() async throws {
        for errors in ["[]", "null"] {
            let response = try await ask(.json(#"{"data":{"hero":null},"errors":\#(errors)}"#)).get()
            #expect(response.result.isComplete)
        }
    }

    /// Data that reads itself, as Wire.HeroData is decoded.
    private struct ReadData: Sendable, JSONReadable {
        struct Hero: Sendable, JSONReadable {
            let name: String

            init(json: inout JSONReader) throws { name = try json["name"] }
        }

        let hero: Hero?

        init(json: inout JSONReader) throws { hero = try json["hero"] }
    }

    @Test(
        "Data that reads itself gives the same results and errors as decoded data",
        arguments: [
            #"{"data":{"hero":{"name":"a","x":[1]}}}"#, #"{"data":{"hero":null},"extensions":{"cost":{"n":[1,null]}}}"#,
            #"{"data":{"hero":null},"extensions":{"a":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}}"#,
            #"{"data":{"hero":null},"extensions":5}"#, #"{"data":{"hero":null},"extensions":null,"more":{}}"#, #"{"data":null}"#, "{}",
            "[]",
            #"{"data":{"hero":{"name":1}}}"#, #"{"data":{"hero":{"name":"a"}},"errors":[{"message":"m","path":["hero"]}]}"#,
            #"{"errors":[{"message":"m"}]}"#, #"{"data":{"hero":null},"errors":[]}"#, #"{"data":{"hero":null},"errors":null}"#,
            #"{"data":{"hero":null},"data":{"hero":{"name":"a"}}}"#, #"{"data":{"hero":null}"#,
        ])
    func readData(body: String) async throws {
        func summary<D>(_ outcome: GraphQLOutcome<D>, _ name: (D) -> String?) -> String {
            switch outcome {
            case .success(let response):
                let data = response.result.data.map { name($0) ?? "no hero" }
                return "\(data ?? "no data") \(response.result.errors.map(\.message)) \(response.extensions)"
            case .failure(let error): return "\(error)".replacing("ReadData", with: "HeroData")
            }
        }
        let read = await ask(.json(body), as: ReadData.self), decoded = await ask(.json(body))
        #expect(summary(read) { $0.hero?.name } == summary(decoded) { $0.hero?.name })
    }

    @Test("A success status without a body is a noData error", arguments: [200, 204] as [HTTPStatus])
    func emptyBody(status: HTTPStatus) async {
        let error = await failure(.status(status))
        guard case .noData? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.request != nil && error?.status == status)
    }

    @Test("A byte order mark before the JSON is skipped (RFC 8259 §8.1)")
    func byteOrderMark() async throws {
        let response = try await ask(.data(Data([0xEF, 0xBB, 0xBF]) + Data(Wire.swift.utf8), contentType: "application/json")).get()
        #expect(response.result.isComplete)
    }

    @Test("Undecodable data beside errors is a failure with those errors")
    func unfitDataWithErrors() async throws {
        let response = try await ask(.json(#"{"data":{"hero":{"name":null}},"errors":[{"message":"no name"}]}"#)).get()
        #expect(response.result.data == nil && response.result.errors.map(\.message) == ["no name"])
    }

    @Test(
        "Ten thousand nested levels in data, errors or extensions are refused and do not trap", arguments: ["[", #"{"a":"#])
    func nesting(opening: String) async {
        let closing = opening == "[" ? "]" : "}"
        let deep = String(repeating: opening, count: 10_000) + "1" + String(repeating: closing, count: 10_000)
        for body in [
            #"{"data":\#(deep)}"#, #"{"errors":[{"message":"x","extensions":\#(deep)}]}"#, #"{"data":{"hero":null},"extensions":\#(deep)}"#,
            deep,
            String(repeating: opening, count: 10_000),
        ] {
            #expect(await isIllFormed(.json(body)))
        }
    }

    @Test("Untyped JSON is read up to 32 levels and left out beyond", arguments: [(30, true), (31, true), (32, false), (400, false)])
    func deepExtensions(levels: Int, isRead: Bool) async throws {
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
            let deep = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
            let error = #"{"message":"x","path":["hero"],"extensions":{"x":\#(deep)}}"#
            let body = #"{"data":{"hero":null},"extensions":{"x":\#(deep)},"errors":[\#(error)]}"#
            let response = try await ask(.json(body)).get()
            #expect((response.extensions["x"] != nil) == isRead)
            #expect((response.result.errors.first?.extensions["x"] != nil) == isRead && response.result.errors.first?.path == ["hero"])
        }
    }

    @Test("Untyped JSON is read up to 50,000 values for the whole response")
    func wideExtensions() async throws {
        func list(_ count: Int) -> String { "[\(Array(repeating: #""""#, count: count).joined(separator: ","))]" }
        func body(_ count: Int) -> String {
            #"{"errors":[{"message":"a","extensions":{"x":\#(list(count / 2))}},{"message":"b","extensions":{"x":\#(list(count / 2))}}]}"#
        }
        let read = try await ask(.json(body(40_000))).get().result.errors
        #expect(read.allSatisfy { $0.extensions["x"]?.arrayValue?.count == 20_000 })
        let cut = try await ask(.json(body(60_000))).get().result.errors
        #expect(cut.map { $0.extensions.count } == [1, 0] && cut.map(\.message) == ["a", "b"])
    }

    @Test(
        "A path is read up to 256 segments and left out beyond, because a million would take half a minute",
        arguments: [(256, 256), (257, 0), (100_000, 0)])
    func longPath(steps: Int, read: Int) async throws {
        let path = Array(repeating: "1", count: steps).joined(separator: ",")
        let error = try await ask(.json(#"{"errors":[{"message":"m","path":[\#(path)]}]}"#)).get().result.errors.first
        #expect(error?.path.count == read && error?.message == "m")
    }

    @Test("Deep values in untyped JSON count more, because each costs the square of its depth")
    func deepAndWideExtensions() async throws {
        func body(_ count: Int) -> String {
            let list = Array(repeating: "true", count: count).joined(separator: ",")
            return
                #"{"data":{"hero":null},"extensions":{"x":\#(String(repeating: "[", count: 30))\#(list)\#(String(repeating: "]", count: 30))}}"#
        }
        #expect(try await ask(.json(body(1_500))).get().extensions["x"] != nil)
        #expect(try await ask(.json(body(2_000))).get().extensions["x"] == nil)
    }

    @Test("Untyped JSON keeps its kinds and digits")
    func freeJSON() async throws {
        let body = #"{"data":{"hero":null},"extensions":{"a":[1,-2.5,9223372036854775807,"x",true,false,null,{},[]],"cost":{"n":1e3}}}"#
        let response = try await ask(.json(body)).get()
        #expect(response.extensions["cost"] == ["n": 1000])
        #expect(response.extensions["a"] == [1, -2.5, .integer(.max), "x", true, false, nil, [:], []])
    }

    @Test("Only the first thousand errors of a response are kept")
    func giantErrorList() async throws {
        let errors = (0..<20_000).map { #"{"message":"\#($0)"}"# }.joined(separator: ",")
        let response = try await ask(.json(#"{"errors":[\#(errors)]}"#)).get()
        #expect(response.result.errors.count == 1_000 && response.result.errors.last?.message == "999")
        #expect("\(GraphQLError.response(response.result.errors))".utf8.count < 2_000)
    }

    @Test("Malformed members of an error are left out, and the message stays")
    func leniency() async throws {
        let error = #"{"message":"x","path":"hero","locations":[{"line":"1"}],"extensions":[1]}"#
        let response = try await ask(.json(#"{"errors":[\#(error)]}"#)).get()
        #expect(response.result.errors == [GraphQLResponseError(message: "x")])
    }

    @Test("Numbers keep their digits")
    func digits() async throws {
        struct Beats: Decodable, Sendable { var beats: UInt64, price: Decimal }
        let response = try await ask(.json(#"{"data":{"beats":18446744073709551615,"price":0.1234567890123456789}}"#), as: Beats.self).get()
        #expect(response.result.data?.beats == .max && response.result.data?.price.description == "0.1234567890123456789")
    }

    @Test("A response beyond the size limit is an error and is not decoded")
    func sizeLimit() async {
        let client = Wire.client(MockTransport(.json(Wire.swift)))
        var options = GraphQLCallOptions()
        options.call.limits = ResponseLimits(bodyBytes: 10)
        let error = await #expect(throws: GraphQLError.self) { try await client.response(for: Wire.hero, options: options) }
        guard case .http(.responseTooLarge)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
