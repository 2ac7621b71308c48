// All items of a paginated list, such as GitHub's: each response names the next page in its Link field.
import Foundation
import Martlet

struct Repository: Decodable {
    let name: String
    let stargazersCount: Int
}

extension Request where Response == [Repository] {
    static func repositories(of organization: String) -> Self {
        .get("orgs/\(organization)/repos", query: ["per_page": 2], headers: ["X-GitHub-Api-Version": "2022-11-28"])
    }
}

let server = try await startServer()
let github = HTTPClient(baseURL: server.url, decoder: .snakeCase)  // https://api.github.com

var names: [String] = []
for try await repository in github.items(.repositories(of: "apple"), next: .link) {
    print("\(repository.name): \(repository.stargazersCount) stars")
    names.append(repository.name)
}

// A page is requested only when its items are needed.
for try await repository in github.items(.repositories(of: "apple"), next: .link).prefix(1) {
    print("the first one: \(repository.name)")
}

precondition(names == ["swift", "swift-nio", "swift-log", "swift-crypto", "swift-system"])
precondition(server.requests.count == 4)
