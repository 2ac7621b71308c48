import Martlet

/// The result of a search.
struct SearchReport {
    var repositories: [Repository] = []
    var total = 0
    /// The number of pages that came from the cache without a request.
    var hits = 0
    var pages = 0
}

/// Searches GitHub, page by page.
struct RepositorySearch: Sendable {
    let api: APIClient<SearchError>
    let isOffline: Bool

    /// Returns at most `limit` repositories. Pages beyond the limit are not requested.
    ///
    /// - Parameter onProgress: Called after each page with the number of repositories so far and the expected number.
    func repositories(
        matching text: String, limit: Int, onProgress: (_ count: Int, _ expected: Int) -> Void = { _, _ in }
    ) async throws(SearchError) -> SearchReport {
        let endpoint = SearchRepositories(text: text, perPage: min(limit, 100))
        let options = PagingOptions(call: CallOptions(cachePolicy: isOffline ? .cacheOnly : .useProtocol))
        var report = SearchReport()
        for try await page in api.pages(endpoint, next: .link, options: options).responses {
            report.repositories += page.body.items.prefix(limit - report.repositories.count)
            report.total = page.body.totalCount
            report.pages += 1
            report.hits += page.metadata.cacheStatus?.isHit == true ? 1 : 0
            onProgress(report.repositories.count, min(limit, report.total))
            if report.repositories.count >= limit { break }
        }
        return report
    }
}
