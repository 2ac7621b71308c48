import MartletEssentials
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite("Credentials rejected in a response body", .timeLimit(.minutes(5)))
struct AuthRenewalTests {
    /// Numbered tokens: “token-1”, and the next number after each renewal.
    private final class Vault: TokenProvider {
        private let state: Locked<(number: Int, renewals: Int)>
        private let outcome: @Sendable () async throws -> Bool

        init(_ outcome: @escaping @Sendable () async throws -> Bool = { true }) {
            state = Locked((1, 0))
            self.outcome = outcome
        }

        var renewals: Int { state.withLock { $0.renewals } }

        func token() async throws -> AccessToken? { AccessToken("token-\(state.withLock { $0.number })") }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            state.withLock { $0.renewals += 1 }
            guard try await outcome() else { return nil }
            return AccessToken("token-\(state.withLock { state in state.number += 1; return state.number })")
        }
    }

    private struct Down: Error {}

    /// Responds with `stale` to the first token, and with `fresh` to the second.
    private func transport(stale: String, fresh: String) -> MockTransport {
        MockTransport { request in .json(request.headers[.authorization] == "Bearer token-1" ? stale : fresh) }
    }

    private func client(_ transport: MockTransport, _ vault: Vault, _ more: [any Interceptor] = []) -> GraphQLClient {
        Wire.client(transport, [AuthInterceptor(vault)] + more)
    }

    private func error(_ path: String = "", code: String = "UNAUTHENTICATED") -> String {
        #"{"message":"no feather"\#(path.isEmpty ? "" : #","path":[\#(path)]"#),"extensions":{"code":"\#(code)"}}"#
    }

    @Test(
        "A query whose credential is rejected in a 200 is sent again once with a new one",
        arguments: [
            #"{"data":null,"errors":[ERROR]}"#, #"{"errors":[ERROR]}"#, #"{"data":{"hero":null},"errors":[ERROR]}"#,
        ])
    func query(body: String) async throws {
        let vault = Vault()
        let stale = body.replacing("ERROR", with: error(#""hero""#))
        let transport = transport(stale: stale, fresh: Wire.swift)
        let data = try await client(transport, vault).execute(Wire.hero)
        #expect(data.hero?.name == "Swift" && vault.renewals == 1)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer token-1", "Bearer token-2"])
    }

    @Test("The second response goes to the caller, so there is no loop")
    func noLoop() async throws {
        let vault = Vault()
        let transport = MockTransport { _ in .json(Wire.refused) }
        let error = await #expect(throws: GraphQLError.self) { try await client(transport, vault).execute(Wire.hero) }
        #expect(error?.isAuthenticationError == true && transport.requests.count == 2 && vault.renewals == 1)
    }

    @Test("After a 401 and a renewal, a rejection in the body goes to the caller")
    func after401() async throws {
        let vault = Vault()
        let transport = MockTransport(.status(401), .json(Wire.refused))
        let response = try await client(transport, vault).response(for: Wire.hero)
        #expect(response.result.errors.count == 1 && transport.requests.count == 2 && vault.renewals == 1)
        #expect(response.http.metadata.credential?.isRenewed == true)
    }

    @Test("A failed renewal is thrown, as after a 401")
    func failedRenewal() async throws {
        let vault = Vault { throw Down() }
        let error = await #expect(throws: GraphQLError.self) {
            try await client(transport(stale: Wire.refused, fresh: Wire.swift), vault).execute(Wire.hero)
        }
        guard case .http(.authenticationFailed(let what))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.context.underlying is Down && what.context.request != nil)
    }

    @Test("Without another credential the response goes to the caller", arguments: [true, false])
    func noReplacement(isStatic: Bool) async throws {
        let provider: any TokenProvider = isStatic ? AccessToken("token-1") : Vault { false }
        let transport = MockTransport { _ in .json(Wire.refused) }
        let client = Wire.client(transport, [AuthInterceptor(provider)])
        let response = try await client.response(for: Wire.hero)
        #expect(response.result.errors.first?.isAuthenticationError == true && transport.requests.count == 1)
    }

    @Test("Without a credential, or with one set by hand, nothing is renewed")
    func withoutCredential() async throws {
        let vault = Vault()
        let transport = MockTransport { _ in .json(Wire.refused) }
        _ = try await Wire.client(transport).response(for: Wire.hero)
        _ = try await client(transport, vault).response(
            for: Wire.hero, options: GraphQLCallOptions(headers: [.authorization: "Bearer own"]))
        #expect(transport.requests.count == 2 && vault.renewals == 0)
    }

    @Test("Other errors do not renew the credential")
    func otherErrors() async throws {
        let vault = Vault()
        let transport = transport(stale: #"{"data":null,"errors":[\#(error(code: "FORBIDDEN"))]}"#, fresh: Wire.swift)
        let response = try await client(transport, vault).response(for: Wire.hero)
        #expect(response.result.errors.first?.code == "FORBIDDEN" && vault.renewals == 0)
    }

    @Test("Concurrent calls with a rejected credential share one renewal")
    func manyWaiters() async throws {
        let vault = Vault()
        let transport = transport(stale: Wire.refused, fresh: Wire.swift)
        let client = client(transport, vault)
        let names = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<20 {
                group.addTask { try await client.execute(Wire.hero.setting("id", to: .string("\(index)"))).hero?.name }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(names == Array(repeating: "Swift", count: 20) && vault.renewals == 1)
    }

    @Test(
        "A mutation is sent again only if it was certainly not executed",
        arguments: [
            (#"{"errors":[A]}"#, true), (#"{"data":null,"errors":[A]}"#, true), (#"{"data":null,"errors":[A,A]}"#, true),
            (#"{"data":{"rename":null},"errors":[P]}"#, true), (#"{"data":null,"errors":[P]}"#, true),
            (#"{"data":null,"errors":[A,B]}"#, false), (#"{"data":{"rename":"A"},"errors":[D]}"#, false),
            (#"{"data":null,"errors":[D]}"#, false),
        ])
    func mutation(body: String, isSentAgain: Bool) async throws {
        let vault = Vault()
        let stale = body.replacing("A]", with: error() + "]").replacing("[A,", with: "[\(error()),").replacing(
            "P]", with: error(#""rename""#) + "]"
        )
        .replacing("B]", with: error(code: "X") + "]").replacing("D]", with: error(#""rename","owner""#) + "]")
        let transport = transport(stale: stale, fresh: #"{"data":{"rename":"Swift"}}"#)
        let response = try await client(transport, vault).response(for: Wire.rename)
        #expect((response.result.data?.rename == "Swift") == isSentAgain)
        #expect(transport.requests.count == (isSentAgain ? 2 : 1) && vault.renewals == 1)
    }

    @Test(
        "A mutation with several root fields or a root fragment is not sent again if one field was rejected",
        arguments: [
            "mutation { first rename }", "mutation { ...All } fragment All on Mutation { rename }",
            "mutation { ... on Mutation { rename } }",
        ])
    func severalFields(text: String) async throws {
        let vault = Vault()
        let transport = transport(stale: #"{"data":null,"errors":[\#(error(#""rename""#))]}"#, fresh: #"{"data":{"rename":"Swift"}}"#)
        let operation = GraphQLOperation<Wire.Renamed>(GraphQLDocument(text))
        let response = try await client(transport, vault).response(for: operation)
        #expect(response.result.errors.count == 1 && transport.requests.count == 1 && vault.renewals == 1)
    }

    @Test(
        "A mutation that may have run is not sent again: unreadable data, an unreadable path, or a field with data",
        arguments: [
            ("mutation { first rename }", #"{"data":{"first":1,"rename":7},"errors":[ERROR]}"#, ""),
            ("mutation { first rename }", #"{"data":null,"errors":[ERROR]}"#, #""rename",1.5"#),
            ("mutation { rename }", #"{"data":null,"errors":[ERROR]}"#, #""rename",{}"#),
            ("mutation { rename }", #"{"data":{"rename":"A"},"errors":[ERROR]}"#, ""),
        ])
    func mayHaveHappened(text: String, stale: String, path: String) async throws {
        for isBatch in [false, true] {
            let vault = Vault()
            let body = stale.replacing("ERROR", with: error(path)), fresh = #"{"data":{"rename":"B"}}"#
            let transport = transport(stale: isBatch ? "[\(body)]" : body, fresh: isBatch ? "[\(fresh)]" : fresh)
            let operation = GraphQLOperation<Wire.Renamed>(GraphQLDocument(text))
            if isBatch {
                _ = try await client(transport, vault).batch([operation])
            } else {
                _ = try await client(transport, vault).response(for: operation)
            }
            #expect(transport.requests.count == 1 && vault.renewals == 1)
        }
    }

    @Test("Updates whose first part rejects the credential are requested once more with a new one")
    func updates() async throws {
        let vault = Vault()
        let fresh = transport(stale: Wire.refused, fresh: Wire.swift)
        var names: [String?] = []
        for try await update in client(fresh, vault).updates(Wire.hero) { names.append(update.data?.hero?.name) }
        #expect(names == ["Swift"] && vault.renewals == 1 && fresh.requests.count == 2)
        let never = Vault(), refusing = transport(stale: Wire.refused, fresh: Wire.refused)
        var errors: [Bool] = []
        for try await update in client(refusing, never).updates(Wire.hero) { errors.append(update.result.errors.isEmpty) }
        #expect(errors == [false] && never.renewals == 1 && refusing.requests.count == 2)
    }

    @Test("A streamed upload cannot be sent again: the token is renewed for the next call, and the errors are returned")
    func stream() async throws {
        let vault = Vault()
        let transport = transport(stale: Wire.refused, fresh: Wire.swift)
        let body = HTTPBody(AsyncStream<[UInt8]> { $0.finish() })
        let operation = Wire.hero.setting("file", to: .upload(GraphQLUpload(body: body, filename: "x")))
        let response = try await client(transport, vault).response(for: operation)
        #expect(response.result.errors.count == 1 && transport.requests.count == 1 && vault.renewals == 1)
    }

    @Test("One deadline covers both requests and the renewal")
    func deadline() async throws {
        let time = ManualTime()
        let vault = Vault {
            time.advance(by: .seconds(4))
            return true
        }
        let transport = MockTransport(time: time) { request in
            time.advance(by: .seconds(3))
            return .json(request.headers[.authorization] == "Bearer token-1" ? Wire.refused : Wire.swift)
        }
        let client = Wire.client(transport, [AuthInterceptor(vault, time: time)], time: time)
        let start = time.instant
        let data = try await client.execute(Wire.hero, options: GraphQLCallOptions(timeout: .seconds(20)))
        #expect(data.hero != nil && transport.requests.map { $0.context.deadline } == Array(repeating: start + .seconds(20), count: 2))
    }

    @Test("A renewal that exceeds the call's deadline is a timeout")
    func slowRenewal() async throws {
        let time = ManualTime()
        let vault = Vault {
            time.advance(by: .seconds(30))
            return true
        }
        let transport = MockTransport(time: time) { _ in .json(Wire.refused) }
        let client = Wire.client(transport, [AuthInterceptor(vault, time: time)], time: time)
        let error = await #expect(throws: GraphQLError.self) {
            try await client.execute(Wire.hero, options: GraphQLCallOptions(timeout: .seconds(20)))
        }
        #expect(error == .http(.timeout) && transport.requests.count == 1)
    }

    @Test("In a batch, only the rejected operations are sent again")
    func batch() async throws {
        let vault = Vault()
        let hero = #"{"data":{"hero":{"name":"Swift"}}}"#
        let transport = transport(
            stale: "[\(hero),\(Wire.refused),{\"data\":{\"rename\":\"A\"},\"errors\":[\(error(#""rename","owner""#))]},\(Wire.refused)]",
            fresh: #"[{"data":{"hero":{"name":"Auk"}}},{"data":{"rename":"B"}}]"#)
        let (one, two, three, four) = try await client(transport, vault).batch(Wire.hero, Wire.hero, Wire.rename, Wire.rename)
        #expect(try one.data().hero?.name == "Swift" && two.data().hero?.name == "Auk" && four.data().rename == "B")
        #expect(try three.get().result.errors.count == 1)
        #expect(transport.requests.map { $0.json?.arrayValue?.count } == [4, 2] && vault.renewals == 1)
        #expect(transport.requests[1].json?.arrayValue?.map { $0["operationName"] } == ["Hero", "Rename"])
    }

    @Test("A batch rejected as a whole is sent again as a whole")
    func wholeBatch() async throws {
        let vault = Vault()
        let transport = transport(stale: Wire.refused, fresh: #"[\#(Wire.swift),{"data":{"rename":"B"}}]"#)
        let (hero, renamed) = try await client(transport, vault).batch(Wire.hero, Wire.rename)
        #expect(try hero.data().hero != nil && renamed.data().rename == "B" && vault.renewals == 1)
    }

    @Test("A failure of a batch's second request is the outcome of the rejected operations only")
    func failingBatch() async throws {
        let failing = Vault { throw Down() }
        let stale = "[\(Wire.swift),\(Wire.refused)]"
        let (one, two) = try await client(transport(stale: stale, fresh: "[]"), failing).batch(Wire.hero, Wire.hero)
        #expect(try one.data().hero != nil)
        #expect(#expect(throws: GraphQLError.self) { try two.data() }?.isAuthenticationError == true)
        let (third, fourth) = try await client(transport(stale: stale, fresh: "[]"), Vault()).batch(Wire.hero, Wire.hero)
        #expect(try third.data().hero != nil)
        #expect(throws: GraphQLError.self) { try fourth.data() }
    }

    @Test("A rejected persisted query is sent again with its hash")
    func persisted() async throws {
        let transport = transport(stale: Wire.refused, fresh: Wire.swift)
        let client = Wire.client(transport, [AuthInterceptor(Vault())], configuration: .init(persistedQueries: .automatic()))
        let data = try await client.execute(Wire.hero)
        #expect(data.hero != nil && transport.requests.allSatisfy { $0.json?["query"] == nil })
    }

    @Test("The description of a credential handle contains no secret")
    func secrecy() async throws {
        let response = try await client(transport(stale: Wire.swift, fresh: ""), Vault()).response(for: Wire.hero)
        let credential = try #require(response.http.metadata.credential)
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("token-1"))
    }
}
