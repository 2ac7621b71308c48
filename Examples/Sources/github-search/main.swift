// A command-line tool that searches GitHub: pages by `Link`, a cache on disk, a progress bar, and an offline mode.
import CommandLineSupport
import Foundation
import Martlet
import MartletMockServer

let program = Program(
    "github-search", "Searches GitHub's repositories. GITHUB_TOKEN in the environment raises GitHub's limit of requests.",
    options: [
        .value("--limit", "N", "The maximum number of results. Default: 50."),
        .value("--cache", "FILE", "The file of the cache. Default: github-search.sqlite in the user's folder for caches."),
        .flag("--offline", "Uses only stored results. Needs --base-url, because the scripted server is new in each run."),
    ], operands: "QUERY")
let arguments = program.arguments()

/// Runs one search, as one run of the tool does, and prints the result.
func run(_ search: RepositorySearch, _ text: String, limit: Int) async throws(SearchError) -> SearchReport {
    let bar = ProgressBar()
    defer { bar.clear() }
    let report = try await search.repositories(matching: text, limit: limit) { bar.show($0, of: $1) }
    bar.clear()
    for repository in report.repositories {
        print("★ \(repository.stargazersCount)  \(repository.fullName)  \(repository.description ?? "")")
    }
    print("\(report.repositories.count) of \(report.total) repositories; \(report.hits) of \(report.pages) pages from the cache")
    return report
}

/// Returns the text for the error of a search, or nil if it has results.
func failure(of search: RepositorySearch, _ text: String) async -> String? {
    do throws(SearchError) {
        _ = try await search.repositories(matching: text, limit: 1)
        return nil
    } catch {
        return error.errorDescription
    }
}

let isOffline = arguments.has("--offline")
if let url = arguments.baseURL {
    let folder = try FileManager.default.url(for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let cache = arguments["--cache"].map { URL(fileURLWithPath: $0) } ?? folder.appendingPathComponent("github-search.sqlite")
    let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
    guard !arguments.operands.isEmpty else { program.fail("a query is missing", code: 64) }
    do {
        let limit = try arguments.number("--limit", default: 50)
        let search = RepositorySearch(baseURL: url, cache: cache, isOffline: isOffline, token: token)
        _ = try await run(search, arguments.operands.joined(separator: " "), limit: limit)
    } catch let error as UsageError {
        program.fail(error.message, code: 64)
    } catch {
        program.fail(error.localizedDescription)
    }
} else {
    guard !isOffline else { program.fail("--offline needs --base-url", code: 64) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("github-search-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await startServer(), cache = folder.appendingPathComponent("cache.sqlite")

    let first = try await run(RepositorySearch(baseURL: server.url, cache: cache), "birds", limit: 4)
    precondition(first.repositories.map(\.fullName) == ["birds/swift", "birds/martin", "birds/swallow", "birds/needletail"])
    precondition(first.hits == 0 && server.requests.count == 2, "the third page is not needed")

    let second = try await run(RepositorySearch(baseURL: server.url, cache: cache), "birds", limit: 4)
    precondition(second.repositories == first.repositories && second.hits == 2 && server.requests.count == 2)

    let online = RepositorySearch(baseURL: server.url, cache: cache)
    let refused = await failure(of: online, "stars:many"), limited = await failure(of: online, "busy")
    print(refused ?? "", limited ?? "", separator: "\n")
    precondition(refused?.hasSuffix("“many” is not a number") == true && limited?.hasPrefix("GitHub's limit is reached") == true)

    await server.stop()
    let offline = RepositorySearch(baseURL: server.url, cache: cache, isOffline: true)
    let third = try await run(offline, "birds", limit: 4), unknown = await failure(of: offline, "penguins")
    print(unknown ?? "")
    precondition(third.repositories == first.repositories && unknown == SearchError.notStored.errorDescription)
    precondition(ProgressBar.text(1, of: 2, width: 4) == "[##  ] 1 of 2")
}
