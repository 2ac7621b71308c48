import MartletMockServer

/// Starts a server with three pages of repositories.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start(), path = "orgs/apple/repos"
    let pages = [["swift", "swift-nio"], ["swift-log", "swift-crypto"], ["swift-system"]]
    for (number, page) in zip(1..., pages) {
        let repositories = page.map { #"{"name":"\#($0)","stargazers_count":\#($0.utf8.count * 100)}"# }
        let next = "<\(server.url)\(path)?per_page=2&page=\(number + 1)>; rel=\"next\""
        server.on(
            .get(number == 1 ? path : "\(path)?page=\(number)"),
            .json("[\(repositories.joined(separator: ","))]", headers: number < pages.count ? ["Link": next] : [:]))
    }
    return server
}
