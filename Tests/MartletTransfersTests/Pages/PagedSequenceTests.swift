import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("PagedSequence", .timeLimit(.minutes(5)))
struct PagedSequenceTests {
    /// Returns pages `page=1`, `page=2`, … up to `count`, each with its number.
    private func numbered(_ count: Int = .max, failing: @escaping @Sendable (Int) -> Bool = { _ in false }) -> (HTTPClient, MockTransport) {
        pagingClient { request in
            let number = Int(request.item("page") ?? "") ?? 0
            if failing(number) { return .status(500) }
            return number > count ? .json("[]") : .json(#"["\#(number)a", "\#(number)b"]"#)
        }
    }

    private let rule = NextPage<[String]>.pageNumber(query: "page")

    @Test("Nothing is sent before the first page is requested, and no page is requested early")
    func lazy() async throws {
        let (client, transport) = numbered()
        let pages = client.items(.repos, next: rule)
        var iterator = pages.makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        for expected in ["1a", "1b"] { #expect(try await iterator.next() == expected) }
        #expect(transport.requests.count == 1)
        #expect(try await iterator.next() == "2a")
        #expect(transport.requests.count == 2)
    }

    @Test("Each iterator starts at the first page, and a prefix requests no more pages than it needs")
    func anew() async throws {
        let (client, transport) = numbered()
        let items = client.items(.repos, next: rule)
        for _ in 0..<2 {
            var all: [String] = []
            for try await item in items.prefix(4) { all.append(item) }
            #expect(all == ["1a", "1b", "2a", "2b"])
        }
        #expect(transport.targets == ["repos?page=1", "repos?page=2", "repos?page=1", "repos?page=2"])
    }

    @Test("After the end, the iterator returns nil without a request")
    func end() async throws {
        let (client, transport) = numbered(1)
        var iterator = client.items(.repos, next: rule).makeAsyncIterator()
        while try await iterator.next() != nil {}
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 2 && iterator.position == nil)
    }

    @Test("A failed page throws in its place, and the same iterator continues with it", arguments: [0, 1, 3])
    func failure(prefetch: Int) async throws {
        let failures = Locked(2)
        let (client, transport) = numbered(3) { number in
            number == 2
                && failures.withLock { left in
                    left -= 1
                    return left >= 0
                }
        }
        var iterator = client.items(.repos, next: rule, options: .init(prefetch: prefetch)).makeAsyncIterator()
        for expected in ["1a", "1b"] { #expect(try await iterator.next() == expected) }
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) { try await iterator.next() }
            #expect(error?.status == 500)
            #expect(iterator.position == .query("page", 2))
        }
        var rest: [String] = []
        while let item = try await iterator.next() { rest.append(item) }
        #expect(rest == ["2a", "2b", "3a", "3b"])
        #expect(transport.targets.map { $0.suffix(1) } == ["1", "2", "2", "2", "3", "4"])
    }

    @Test("A sequence that starts at an iterator's position continues there")
    func starting() async throws {
        let (client, transport) = numbered(3)
        let pages = client.pages(.repos, next: rule)
        var iterator = pages.makeAsyncIterator()
        _ = try await iterator.next()
        let position = try #require(iterator.position)
        var seen: [String] = []
        for try await page in pages.starting(at: position).items({ $0 }) { seen += [page] }
        #expect(seen == ["2a", "2b", "3a", "3b"])
        #expect(transport.targets.count == 4)
    }

    @Test("A page that links to an earlier page throws instead of looping, after the pages before it")
    func loops() async throws {
        let loop = HTTPError.pagingFailed(PagingFailure(.loop))
        for (start, links) in [
            ("a", ["a": "a"]), ("a", ["a": "b", "b": "a"]), ("a", ["a": "b", "b": "c", "c": "b"]), ("a", ["a": "b", "b": "b#x"]),
        ] {
            let (client, transport) = pagingClient { request in
                .json("[]", headers: ["Link": "<\(links[request.url.lastPathComponent] ?? "")>; rel=next"])
            }
            for prefetch in [0, 2] {
                var iterator = client.pages(
                    Request<[String]>.get(Path(segments: [start])), next: .link, options: .init(prefetch: prefetch)
                ).makeAsyncIterator()
                for _ in 0..<links.count { #expect(try await iterator.next() != nil) }
                for _ in 0..<2 {
                    let error = await #expect(throws: HTTPError.self) { try await iterator.next() }
                    #expect(error == loop && error?.request != nil)
                }
            }
            #expect(transport.requests.count == 2 * links.count)
        }
        let (client, _) = pagingClient { _ in .json(#"{"users": [], "nextCursor": "same"}"#) }
        await #expect(throws: loop) { for try await _ in client.pages(.users, next: .cursor(\.nextCursor, query: "c")) {} }
    }

    @Test("A page beyond the maximum throws in its place, and the maximum number of items ends the sequence")
    func limits() async throws {
        let (client, transport) = numbered(3)
        var seen: [String] = []
        await #expect(throws: HTTPError.pagingFailed(PagingFailure(.tooManyPages))) {
            for try await item in client.items(.repos, next: rule, options: .init(prefetch: 5, maxPages: 2)) { seen.append(item) }
        }
        #expect(seen == ["1a", "1b", "2a", "2b"] && transport.requests.count == 2)
        seen = []
        for try await item in client.items(.repos, next: rule, options: .init(maxItems: 3)) { seen.append(item) }
        #expect(seen == ["1a", "1b", "2a"])
        seen = []
        for try await item in client.items(.repos, next: rule, options: .init(maxPages: 4, maxItems: 6)) { seen.append(item) }
        #expect(seen.count == 6)
    }

    @Test("An iteration in a cancelled task sends nothing and throws .cancelled")
    func cancelledBefore() async throws {
        let (client, transport) = numbered()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = client.pages(.repos, next: rule).makeAsyncIterator()
            await #expect(throws: HTTPError.cancelled) { try await iterator.next() }
        }
        await task.value
        #expect(transport.requests.isEmpty)
    }
}
