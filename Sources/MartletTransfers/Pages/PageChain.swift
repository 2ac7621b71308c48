internal import MartletSystem

/// Requests page after page, some ahead of the reader. Each page is requested by a task that waits for the page before it.
///
/// Releasing it cancels the running requests.
final class PageChain<Page: Sendable>: Sendable {
    typealias Fetch = @Sendable (PagePosition) async throws(HTTPError) -> HTTPResponse<Page>

    /// A page and what follows it.
    struct Fetched: Sendable {
        let response: HTTPResponse<Page>
        let next: Result<PagePosition?, HTTPError>
    }

    /// The result of a task in the chain, or nil if no page exists at its position.
    private typealias Link = Task<Result<Fetched, HTTPError>?, Never>

    private let fetch: Fetch
    private let rule: NextPage<Page>
    private let ahead: Int
    private let state: Locked<State>

    private struct State {
        var links: [Link] = []
        var visited: Set<PagePosition.Target> = []
    }

    init(_ fetch: @escaping Fetch, rule: NextPage<Page>, ahead: Int) {
        self.fetch = fetch
        self.rule = rule
        // Each page ahead is a task, even if no such page turns out to exist.
        self.ahead = min(ahead, 64)
        state = Locked(State())
    }

    deinit {
        for link in state.withLock({ $0.links }) { link.cancel() }
    }

    /// Returns the page at a position, which must follow the previously returned page, and starts requesting up to `allowed` further ones.
    ///
    /// After an error the chain is empty, and the position may be requested again.
    func page(at position: PagePosition, allowed: Int) async throws(HTTPError) -> Fetched {
        let link = state.withLock { state in
            state.visited.insert(position.target)
            return state.links.isEmpty ? nil : state.links.removeFirst()
        }
        let first = link ?? start(at: position)
        extend(after: first, allowed: allowed)
        do throws(HTTPError) {
            guard let outcome = await first.resultCancelledByCaller().get() else { throw HTTPError.cancelled }
            return try outcome.get()
        } catch {
            clear()
            throw error
        }
    }

    private func clear() {
        let links = state.withLock { exchange(&$0.links, with: []) }
        for link in links { link.cancel() }
    }

    private func start(at position: PagePosition) -> Link {
        Task { [fetch, rule, visited = state] in await PageChain.get(position, fetch, rule, visited) }
    }

    /// Adds tasks until the wanted number of pages is being requested ahead.
    private func extend(after first: Link, allowed: Int) {
        state.withLock { [fetch, rule, visited = state] state in
            while state.links.count < min(ahead, allowed) {
                let before = state.links.last ?? first
                state.links.append(
                    Task {
                        // The reader may cancel the task before this one, which then finds no page and ends.
                        guard case .success(let page)? = await before.value, case .success(let position?) = page.next,
                            !Task.isCancelled
                        else { return nil }
                        return await PageChain.get(position, fetch, rule, visited)
                    })
            }
        }
    }

    private static func get(
        _ position: PagePosition, _ fetch: Fetch, _ rule: NextPage<Page>, _ state: Locked<State>
    ) async -> Result<Fetched, HTTPError> {
        do throws(HTTPError) {
            let response = try await fetch(position)
            return .success(Fetched(response: response, next: next(after: response, position, rule, state)))
        } catch { return .failure(error) }
    }

    /// Returns the position after a page. It is computed once for each page, because a position that was already visited is a loop.
    private static func next(
        after response: HTTPResponse<Page>, _ position: PagePosition, _ rule: NextPage<Page>, _ state: Locked<State>
    ) -> Result<PagePosition?, HTTPError> {
        do throws(HTTPError) {
            guard let next = try rule.after(response, position) else { return .success(nil) }
            let isNew = state.withLock { state in
                // A later page may link to the first one by its URL.
                if let url = response.metadata.request?.url, case .url = next.target {
                    state.visited.insert(.url(URLReference.withoutFragment(url)))
                }
                return state.visited.insert(next.target).inserted
            }
            if isNew { return .success(next) }
            let context = ErrorContext(request: response.metadata.request, stage: .decoding)
            return .failure(.pagingFailed(PagingFailure(.loop, "\(next) was already requested", context: context)))
        } catch { return .failure(error) }
    }
}
