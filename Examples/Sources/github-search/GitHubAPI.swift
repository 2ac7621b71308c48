import Martlet

/// One page of `GET /search/repositories`. The `Link` field of the response names the next page.
struct SearchRepositories: Endpoint {
    typealias Response = SearchPage
    typealias ErrorBody = GitHubProblem

    let text: String
    let perPage: Int

    var path: Path { "search/repositories" }
    var query: Query { ["q": text, "sort": "stars", "per_page": perPage] }
    var headers: HTTPFields { ["Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"] }
}

struct SearchPage: Decodable {
    let totalCount: Int
    let items: [Repository]
}

struct Repository: Decodable, Equatable {
    let fullName: String
    let stargazersCount: Int
    let description: String?
}

/// The body of GitHub's error responses.
struct GitHubProblem: Decodable {
    let message: String
}
