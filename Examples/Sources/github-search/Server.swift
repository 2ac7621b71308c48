import MartletMockServer

/// Starts a server with three pages of results, a query that it refuses, and one for which the limit is reached.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start(), path = "search/repositories"
    let pages = [["birds/swift", "birds/martin"], ["birds/swallow", "birds/needletail"], ["birds/treeswift"]]
    for (number, page) in zip(1..., pages) {
        let items = page.map { #"{"full_name":"\#($0)","stargazers_count":\#($0.utf8.count * 100),"description":"A bird"}"# }
        var headers: HTTPFields = ["Cache-Control": "private, max-age=60", "ETag": "\"page-\(number)\"", "Vary": "Accept"]
        if number < pages.count { headers["Link"] = "<\(server.url)\(path)?q=birds&page=\(number + 1)>; rel=\"next\"" }
        server.on(
            .get("\(path)?q=birds" + (number > 1 ? "&page=\(number)" : "")),
            .json(#"{"total_count":5,"items":[\#(items.joined(separator: ","))]}"#, headers: headers))
    }
    server.on(.get("\(path)?q=stars:many"), .json(#"{"message":"“many” is not a number"}"#, status: 422))
    server.on(
        .get("\(path)?q=busy"),
        .json(
            #"{"message":"API rate limit exceeded"}"#, status: 403,
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225600"]))
    return server
}
