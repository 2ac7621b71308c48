import Foundation
import Martlet
import MartletGraphQL
import MartletTesting

/// Makes the calls of the shop, one of each kind, and then one every half second.
struct ShopCalls {
    private let client: HTTPClient
    private let graphQL: GraphQLClient

    init(observer: any CallObserver) {
        let server = ShopServer()
        let transport = TimedTransport(MockTransport { await server.reply(to: $0) })
        let login = HTTPClient(transport: transport, observers: [observer])
        let store = InMemoryTokenStore(AccessToken("s3cret-token", refreshToken: "s3cret-refresh"))
        let provider = StoredTokenProvider(store: store) { expired in
            let request = Request<JSONValue>.post(
                url: URL(string: "https://login.shop.example/refresh")!, body: .form(["refresh_token": expired.refreshToken]))
            let reply = try await login.send(request.named("RefreshToken"))
            return AccessToken(reply["access_token"]?.stringValue ?? "", refreshToken: expired.refreshToken)
        }
        var standard = StandardInterceptors(authentication: AuthInterceptor(provider), retry: RetryInterceptor())
        standard.cache = CacheInterceptor(store: MemoryCacheStore())
        client = HTTPClient(
            baseURL: URL(string: "https://api.shop.example/v2/")!, transport: transport, interceptors: standard.list, observers: [observer])
        graphQL = GraphQLClient(client, url: URL(string: "https://api.shop.example/graphql")!)
    }

    func run() async throws {
        await withTaskGroup { group in
            await hostile()
            await ordinary()
            group.addTask { _ = await client.result(of: GetOrders(user: 42)) }
            try? await Task.sleep(for: .milliseconds(30))
            group.addTask { await transfers() }
            group.addTask { await streams() }
            group.addTask { await subscription() }
            try? await Task.sleep(for: .milliseconds(1_700))
            var number = 0
            while !Task.isCancelled {
                number += 1
                _ = await client.result(of: GetItem(id: number))
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func ordinary() async {
        _ = await client.result(of: GetOrders(user: 42))
        _ = await client.result(of: GetUsers())
        for _ in 0..<2 { _ = await client.result(of: GetSettings()) }
        for _ in 0..<2 { _ = await client.result(of: GetFlags()) }
        _ = await client.result(of: CreateOrder())
        let form: Form = ["grant_type": "password", "username": "ada@example.org", "password": "s3cret-word"]
        _ = await client.result(of: get(Data.self, "SignIn", .post(url: URL(string: "https://login.shop.example/token")!, body: .form(form))))
        _ = await client.result(of: get(Data.self, "Avatar", .get(url: URL(string: "https://img.shop.example/u/42.png")!)))
        _ = await client.result(of: get(Data.self, "Icon", .get(url: URL(string: "https://img.shop.example/icons/bird.svg")!)))
        _ = await client.result(of: get(Data.self, "Model", .get("model.bin")))
        _ = await client.result(of: GetExport())
        _ = await client.result(of: get(Data.self, "Lookup", .get(url: URL(string: "https://nowhere.invalid/v1")!).retryPolicy(.never)))
        let suggestions = Task { await client.result(of: get(Data.self, "SearchSuggestions", .get("suggest", query: ["q": "swif"]))) }
        try? await Task.sleep(for: .milliseconds(90))
        suggestions.cancel()
        _ = await suggestions.value
        _ = try? await graphQL.execute(Birds(first: 4))
        _ = try? await graphQL.batch(Birds(first: 2), Nests())
    }

    /// A call with markup in each text that an app or a server controls.
    private func hostile() async {
        let markup = ShopServer.markup
        var request = Request<Data>.post(
            url: URL(string: "https://x.example/%3Cscript%3E?q=%3Cimg%20src=x%3E")!, body: .json([markup: markup, "query": markup, "operationName": markup]))
        request.headers["X-Markup"] = markup
        request.options.tags = [markup]
        _ = await client.result(of: request.named(markup), as: Orders.self)
    }

    private func transfers() async {
        let folder = FileManager.default.temporaryDirectory.appending(path: "inspected-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "video.mov")
        try? ShopBodies.bytes(4_000_000).write(to: file)
        await withTaskGroup { group in
            group.addTask {
                let map = get(Data.self, "EuropeMap", .get(url: URL(string: "https://eu.cdn.example/maps/europe.pack")!))
                _ = try? await client.download(map, to: folder.appending(path: "europe.pack"))
            }
            group.addTask {
                let creation = Request<EmptyResponse>.post("uploads").named("UploadVideo")
                _ = try? await client.uploadResumably(file, to: creation, options: ResumableUploadOptions(chunkBytes: 100_000))
            }
        }
    }

    private func streams() async {
        let prices = client.events(get(Data.self, "Prices", .get("prices")))
        do { for try await _ in prices {} } catch {}
    }

    private func subscription() async {
        do { for try await _ in graphQL.subscribe(OrderChanged(id: "o-981")) {} } catch {}
    }

    private func get<Value>(_ type: Value.Type, _ name: String, _ request: Request<Value>) -> Request<Value> { request.named(name) }
}
