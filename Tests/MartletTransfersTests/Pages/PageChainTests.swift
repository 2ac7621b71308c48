import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("PageChain: prefetching pages", .timeLimit(.minutes(5)))
struct PageChainTests {
    /// Records when each request arrives and is cancelled, and responds when the test opens its gate.
    private final class Gates: Transport {
        private struct State {
            var waiting: [String: OneShot<Result<Void, HTTPError>>] = [:]
            var cancelled: Set<String> = []
        }

        private let state = Locked(State())
        private let arrivals = MockTransport { _ in .status(200) }
        let isOpen: Bool

        init(isOpen: Bool = false) { self.isOpen = isOpen }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            let page = request.item("page") ?? "0"
            let gate = state.withLock { state in
                let gate = state.waiting[page] ?? OneShot<Result<Void, HTTPError>>()
                state.waiting[page] = gate
                return gate
            }
            if isOpen { gate.set(.success(())) }
            _ = try await arrivals.send(request)
            try await withTaskCancellationHandler {
                await gate.value()
            } onCancel: {
                // A further request gets a new gate.
                if gate.set(.failure(.cancelled)) {
                    state.withLock { state in
                        state.waiting[page] = nil
                        state.cancelled.insert(page)
                    }
                }
            }.get()
            return HTTPResponse(status: .ok, body: HTTPBody("[\"\(page)\"]"))
        }

        func open(_ page: String) {
            let gate = state.withLock { state in
                let gate = state.waiting[page] ?? OneShot<Result<Void, HTTPError>>()
                state.waiting[page] = gate
                return gate
            }
            gate.set(.success(()))
        }

        /// Waits for a number of requests and returns the pages that they asked for.
        func arrived(_ count: Int) async throws -> [String] { try await arrivals.waitForRequests(count).map { $0.item("page") ?? "0" } }

        var count: Int { arrivals.requests.count }
        var cancelled: Set<String> { state.withLock { $0.cancelled } }
    }

    private func pages(_ gates: Gates, prefetch: Int, maxPages: Int = 1000) -> PagedSequence<[String], [String], HTTPError> {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: gates)
            .pages(.repos, next: .pageNumber(query: "page"), options: .init(prefetch: prefetch, maxPages: maxPages))
    }

    @Test("With one page ahead, only the next page is requested while the current one is used")
    func oneAhead() async throws {
        let gates = Gates()
        gates.open("1")
        var iterator = pages(gates, prefetch: 1).makeAsyncIterator()
        #expect(try await iterator.next() == ["1"])
        #expect(try await gates.arrived(2) == ["1", "2"])
        gates.open("2")
        #expect(try await iterator.next() == ["2"])
        #expect(try await gates.arrived(3) == ["1", "2", "3"])
        #expect(gates.count == 3)
    }

    @Test("Only the configured number of pages is requested ahead, within the maximum number of pages")
    func several() async throws {
        let gates = Gates(isOpen: true)
        var iterator = pages(gates, prefetch: 3, maxPages: 6).makeAsyncIterator()
        #expect(try await iterator.next() == ["1"])
        #expect(try await gates.arrived(4) == ["1", "2", "3", "4"])
        for expected in ["2", "3", "4", "5", "6"] { #expect(try await iterator.next() == [expected]) }
        await #expect(throws: HTTPError.pagingFailed(PagingFailure(.tooManyPages))) { try await iterator.next() }
        #expect(gates.count == 6)
    }

    @Test("At most 64 pages are prefetched", .timeLimit(.minutes(5)))
    func maxAhead() async throws {
        let gates = Gates(isOpen: true)
        var iterator = pages(gates, prefetch: .max, maxPages: .max).makeAsyncIterator()
        #expect(try await iterator.next() == ["1"])
        #expect(try await gates.arrived(65).last == "65")
        #expect(gates.count == 65)
    }

    @Test("Leaving the loop cancels the running request for a page")
    func leaving() async throws {
        let gates = Gates()
        gates.open("1")
        let pages = pages(gates, prefetch: 1)
        for try await _ in pages {
            #expect(try await gates.arrived(2).last == "2")
            break
        }
        // The chain is released with the iterator, and the cancellation has then been passed on.
        while gates.cancelled != ["2"] { await Task.yield() }
    }

    @Test("After a cancelled request, the next one returns the same page and the pages ahead of it")
    func askingAgain() async throws {
        let gates = Gates(), request = Request<[String]>.repos
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: gates)
        let chain = PageChain<[String]>(
            { position throws(HTTPError) in
                try await client.perform(
                    position.adjusted(request, body: nil), options: CallOptions(), decoding: request.decoding)
            }, rule: .pageNumber(query: "page"), ahead: 1)
        gates.open("1")
        let first = try await chain.page(at: .query("page", 1), allowed: 9)
        let second = try #require(try first.next.get())
        #expect(try await gates.arrived(2).last == "2")
        let left = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await chain.page(at: second, allowed: 9)
                return nil
            } catch { return error }
        }
        left.cancel()
        #expect(await left.value == .cancelled && gates.cancelled == ["2"])
        gates.open("2")
        #expect(try await chain.page(at: second, allowed: 9).response.body == ["2"])
        #expect(try await gates.arrived(4) == ["1", "2", "2", "3"])
    }

    @Test("Cancelling the task ends the wait for a page with .cancelled and cancels the pages ahead")
    func cancelling() async throws {
        let gates = Gates()
        gates.open("1")
        let pages = pages(gates, prefetch: 2)
        let task = Task {
            var iterator = pages.makeAsyncIterator()
            _ = try await iterator.next()
            await #expect(throws: HTTPError.cancelled) { try await iterator.next() }
            #expect(iterator.position == .query("page", 2))
        }
        #expect(try await gates.arrived(2).last == "2")
        task.cancel()
        try await task.value
        #expect(gates.cancelled == ["2"] && gates.count == 2)
    }
}
