import Foundation
import Martlet
import MartletSQLite

extension RepositorySearch {
    /// Creates the search of one run of the tool.
    ///
    /// - Parameters:
    ///   - baseURL: GitHub's API, `https://api.github.com`.
    ///   - cache: The file of the cache, which later runs use again.
    ///   - isOffline: Whether only stored responses are used.
    ///   - token: A personal access token, for a higher limit of requests. Default: nil.
    init(baseURL: URL, cache: URL, isOffline: Bool = false, token: String? = nil) {
        var standard = StandardInterceptors(
            headers: HeadersInterceptor.app(AppMetadata(name: "github-search", version: "1.0")),
            authentication: token.map { AuthInterceptor(AccessToken($0)) })
        standard.cache = CacheInterceptor(store: SQLiteCacheStore(at: cache))
        let client = HTTPClient(baseURL: baseURL, interceptors: standard.list, decoder: .snakeCase)
        self.init(api: client.mappingErrors(SearchErrorMapper(isOffline: isOffline)), isOffline: isOffline)
    }
}
