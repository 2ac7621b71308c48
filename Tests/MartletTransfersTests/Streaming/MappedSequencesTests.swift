import Foundation
import MartletTesting
import MartletTransfers
import Testing

@Suite("APIClient: sequences and transfers", .timeLimit(.minutes(5)))
struct MappedSequencesTests {
    private struct Bird: Codable, Sendable, Equatable { let name: String }
    private enum Birds: Endpoint {
        case all
        var path: Path { "birds" }
    }
    private struct AppError: Error, Equatable { let status: Int }
    private struct Mapper: ErrorMapper {
        func map(_ error: HTTPError) -> AppError { AppError(status: error.status?.rawValue ?? 0) }
    }

    private func api(_ replies: MockReply...) -> APIClient<AppError> {
        HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport(replies: replies)).mappingErrors(Mapper())
    }

    @Test("Sequences return their elements, from endpoints without a response type and from requests")
    func elements() async throws {
        let lines = #"{"name":"a"}"# + "\n" + #"{"name":"b"}"#, expected = [Bird(name: "a"), Bird(name: "b")]
        #expect(try await api(.text("a\nb")).lines(.get("log")).all() == ["a", "b"])
        #expect(try await api(.text(lines)).jsonLines(Birds.all, as: Bird.self).all() == expected)
        #expect(try await api(.text(lines)).jsonLines(.get("birds"), as: Bird.self).all() == expected)
        #expect(try await api(.text(lines)).jsonLines(Request<Bird>.get("birds")).all() == expected)
        #expect(try await api(.text("\u{1E}\(lines.prefix(12))\n")).jsonSequence(.get("birds"), as: Bird.self).all() == [Bird(name: "a")])
        #expect(try await api(.json(#"[{"name":"a"}]"#)).elements(Request<[Bird]>.get("birds")).all() == [Bird(name: "a")])
        #expect(try await api(.json(#"[{"name":"a"}]"#)).items(Birds.all, as: [Bird].self, next: .link).all() == [Bird(name: "a")])
        #expect(try await api(.json(#"[{"name":"a"}]"#)).pages(.get("birds"), as: [Bird].self, next: .link).all() == [[Bird(name: "a")]])
        #expect(
            try await api(.events("data: {\"name\":\"a\"}\n\n")).events(.post("feed"), as: Bird.self).all() == [Bird(name: "a")])
    }

    @Test("Each sequence throws only the app's error")
    func errors() async throws {
        func failure<S: AsyncSequence>(_ sequence: S) async -> AppError? where S.Failure == AppError {
            do throws(AppError) {
                for try await _ in sequence {}
                return nil
            } catch { return error }
        }
        #expect(await failure(api(.status(403)).lines(.get("x"))) == AppError(status: 403))
        #expect(await failure(api(.status(403)).jsonLines(.get("x"), as: Bird.self)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).jsonSequence(.get("x"), as: Bird.self)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).elements(.get("x"), as: Bird.self)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).events(.get("x"))) == AppError(status: 403))
        #expect(await failure(api(.status(403)).events(.get("x")).signals) == AppError(status: 403))
        #expect(await failure(api(.status(403)).events(.get("x"), as: Bird.self)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).pages(.get("x"), as: [Bird].self, next: .link)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).items(.get("x"), as: [Bird].self, next: .link)) == AppError(status: 403))
        #expect(await failure(api(.status(403)).uploadUpdates(Request<Data>.post("x"))) == AppError(status: 403))
    }

    @Test("The call's options reach the requests of each sequence")
    func options() async throws {
        let transport = MockTransport { _ in .json("[]", status: 418) }
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        let call = CallOptions(validation: [418], tags: ["t"])
        _ = try await client.lines(.get("1"), options: call).all()
        _ = try await client.jsonLines(.get("2"), as: [Bird].self, options: call).all()
        _ = try await client.elements(.get("3"), as: Bird.self, options: call).all()
        _ = try await client.items(.get("4"), as: [Bird].self, next: .link, options: .init(call: call)).all()
        _ = try await client.upload(Request<Data>.post("5"), options: call)
        #expect(transport.requests.count == 5 && transport.requests.allSatisfy { $0.context.tags == ["t"] })
    }

    @MainActor
    @Test("Progress is reported on the actor of the closure, and the last report ends before the method returns")
    func progress() async throws {
        final class Bar { var seen: [TransferProgress] = [] }
        let folder = try Folder(), bar = Bar(), data = Data(count: 100_000)
        _ = try await api(.data(data)).download(.get("song"), to: folder.file("a")) { progress in bar.seen.append(progress) }
        #expect(bar.seen.last?.bytes == 100_000)
        bar.seen = []
        _ = try await api(.data(Data())).upload(Request<Data>.post("x", body: .data(data))) { progress in bar.seen.append(progress) }
        #expect(bar.seen.last?.bytes == 100_000)
    }

    @Test("A transfer whose caller is cancelled ends with the app's error of a cancellation")
    func cancellation() async throws {
        let transport = MockTransport(.silence), folder = try Folder()
        let api = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport).mappingErrors(HTTPErrorMapper())
        let task = Task { await Result { () async throws(APIError) in try await api.download(.get("song"), to: folder.file("a")) } }
        try await transport.waitForRequests()
        task.cancel()
        guard case .failure(.cancelled) = await task.value else { return #expect(Bool(false), "not cancelled") }
    }
}

extension Result where Success: Sendable {
    /// Runs an operation and stores its outcome.
    fileprivate init(_ operation: () async throws(Failure) -> Success) async {
        do { self = .success(try await operation()) } catch { self = .failure(error) }
    }
}
