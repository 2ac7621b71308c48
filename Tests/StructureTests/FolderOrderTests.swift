import Testing

/// The folders of a target in their order: a folder uses the types of the folders before it. Folders of one group may use each other's.
private struct FolderOrder {
    let groups: [[String]]

    /// - Parameter reason: Why the folders of a group refer to each other. Required with a group of several folders.
    init(_ groups: [String]..., because reason: String? = nil) {
        precondition(reason != nil || groups.allSatisfy { $0.count == 1 }, "a group of several folders needs a reason")
        self.groups = groups
    }

    /// Returns the place of a folder's group, or nil for a folder that is not in the order.
    func rank(of folder: String) -> Int? { groups.firstIndex { $0.contains(folder) } }

    var text: String { groups.map { $0.count == 1 ? $0[0] : "{\($0.joined(separator: ", "))}" }.joined(separator: " → ") }
}

/// The order of the folders in each target that has folders.
private let orders: [String: FolderOrder] = [
    "EndpointGenerator": FolderOrder(["Code"], ["Samples"], ["Types"], ["Paths"], ["Output"]),
    "MartletAuth": FolderOrder(["Tokens"], ["OAuth2"], ["Providers"], ["Interceptor"]),
    "MartletBridges": FolderOrder(
        ["SwiftLog"], ["SwiftMetrics"], ["SwiftTracing"], ["SwiftHTTPTypes"], ["SwiftServiceLifecycle"], ["SwiftConfiguration"],
        ["SwiftOpenAPI"], ["AsyncHTTPClient"]),
    "MartletCache": FolderOrder(["Storage"], ["Freshness"], ["Stores"], ["Interceptor"], ["Values"]),
    "MartletClient": FolderOrder(
        ["Calls"], ["Policies"], ["Requests"], ["Interceptors", "Observers", "Client"], ["AppErrors"],
        because: "A client's own fields are those of HeadersInterceptor, and a client begins the calls that observers see."),
    "MartletConformance": FolderOrder(
        ["Contexts", "Transport"], ["CacheStore"], because: "Both suites report the mismatches that TransportConformance declares."),
    "MartletCookies": FolderOrder(
        ["Generated"], ["Rules", "Values"], ["Stores"], ["StrictTransport"],
        because: "A cookie is created by the rules, and the rules read cookies."),
    "MartletCurl": FolderOrder(
        ["Messages"], ["Settings"], ["Lookups", "Exchange", "Engine"],
        because: "Lookups wake the engine, which reads them, and an exchange decides about transfers of the engine."),
    "MartletEngine": FolderOrder(["Threads"], ["Bodies"], ["Requests"], ["Responses"], ["Admission"], ["Connections"]),
    "MartletGraphQL": FolderOrder(
        ["Language"], ["Values"], ["Responses"], ["Operations"], ["HTTP"], ["ResponseStreams"], ["WebSocket"], ["Client"]),
    "MartletGraphQLSchema": FolderOrder(["Types"], ["Reading"], ["Validation"]),
    "MartletHAR": FolderOrder(["Format"], ["Calls"]),
    "MartletHTTP": FolderOrder(
        ["URIs"], ["Fields"], ["Redaction"], ["Digests", "Body", "Messages", "Errors", "Transport"],
        because: "An error has the request, which has a body, whose reader throws the error."),
    "MartletInspector": FolderOrder(["Server"]),
    "MartletJSON": FolderOrder(["Numbers"], ["Index"], ["Values"], ["Decoding"], ["Encoding"], ["Streaming"]),
    "MartletKeychain": FolderOrder(["Keychain"], ["SecretService"]),
    "MartletMockServer": FolderOrder(
        ["Recording"], ["Replies"], ["Matching"], ["TLS"], ["Sockets"], ["Exchange", "Server", "WebSockets"],
        because: "The body of a reply tells the server's thread that it has more, and a test adds to the script of a WebSocket."),
    "MartletObservation": FolderOrder(["Logging"], ["Metrics"], ["Tracing"]),
    "MartletRedis": FolderOrder(["Connection"], ["Store"]),
    "MartletResilience": FolderOrder(["Breaker"], ["Limits"]),
    "MartletSQLite": FolderOrder(["Library"], ["Entries"], ["Store"]),
    "MartletSystem": FolderOrder(["Locks"], ["Descriptors"], ["Time"], ["Threads"]),
    "MartletTesting": FolderOrder(["Time"], ["Transport"], ["Client"], ["GraphQL"], ["Cassettes"]),
    "MartletTransfers": FolderOrder(["Streaming"], ["Reconnection"], ["Events"], ["Multipart"], ["Pages"], ["Downloads"], ["Uploads"]),
    "MartletURLSession": FolderOrder(["Messages"], ["Sessions"]),
    "MartletWebSocket": FolderOrder(["Connection"], ["Opening"], ["Channels"], ["Reconnection"]),
    "MartletWire": FolderOrder(
        ["Exchange", "Connections", "Engine"],
        because: "An exchange is cancelled through the team, whose engines read connections, which carry exchanges."),
    "OperationGenerator": FolderOrder(["Names"], ["Documents"], ["Types"], ["Output"], ["Manifests"]),
]

@Suite("The order of folders", .timeLimit(.minutes(5)))
struct FolderOrderTests {
    /// Returns the folder of a file of a target, or nil for one beside the folders.
    private static func folder(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : nil
    }

    /// Returns a sentence for each use of a type of a folder that is later in the order.
    ///
    /// The files beside the folders are the face of a target: they use every folder, and every folder may use them.
    private static func violations(in files: [String: String], _ order: FolderOrder, _ target: String) -> [String] {
        let names = files.compactMap { path, text in folder(of: path).map { (path: path, folder: $0, names: SwiftNames(text)) } }
        var owners: [String: Set<String>] = [:]
        var own: [String: Set<String>] = [:]
        for file in names {
            for name in file.names.declared { owners[name, default: []].insert(file.folder) }
            own[file.folder, default: []].formUnion(file.names.declared.union(file.names.hidden))
        }
        return names.flatMap { file in
            file.names.used.subtracting(own[file.folder] ?? []).flatMap { name in
                (owners[name] ?? []).compactMap { owner in
                    guard let used = order.rank(of: owner), let rank = order.rank(of: file.folder), used > rank else { return nil }
                    return "\(file.path) uses \(name) of \(owner), which is after \(file.folder) in the order of \(target): \(order.text)"
                }
            }
        }.sorted()
    }

    @Test("The folders of a target depend in one direction", arguments: orders.keys.sorted())
    func direction(target: String) throws {
        let order = try #require(orders[target])
        let violations = FolderOrderTests.violations(in: try Repository.files(under: "Sources/\(target)"), order, target)
        #expect(violations == [], "Move the file or the type to an earlier folder.")
    }

    @Test("Every folder of a target has a place in the order")
    func completeness() throws {
        for target in try Repository.targets(in: "Sources") {
            let folders = Set(Repository.folders(of: "Sources/\(target)").compactMap { $0.split(separator: "/").first.map(String.init) })
            let ordered = (orders[target]?.groups ?? []).flatMap(\.self)
            #expect(Set(ordered) == folders && ordered.count == folders.count, "\(target): compare with `orders` in this file")
        }
    }

    @Test("A use of a later folder's type is found outside comments and strings, also in an interpolation")
    func detection() {
        let order = FolderOrder(["Low"], ["High"])
        func found(_ code: String) -> Int {
            let files = ["Sources/T/Low/A.swift": code, "Sources/T/High/B.swift": "public struct High {}\nprivate struct Own {}"]
            return FolderOrderTests.violations(in: files, order, "T").count
        }
        #expect(found("let a: High") == 1)
        #expect(found("extension High {}") == 1)
        #expect(found(#"let a = "\(High())""#) == 1)
        #expect(found("// High\n/* High /* */ High */ let a = \"High\", b = #\"\\(High)\"#") == 0)
        #expect(found("let a = \"\"\"\n    High \"High\"\n    \"\"\"") == 0)
        #expect(found("let a: Other.High, b: Own") == 0)
        #expect(found("enum Mine { struct High {} }; let a: High") == 0)
    }
}
