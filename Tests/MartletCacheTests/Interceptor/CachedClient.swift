import Foundation
import MartletTesting
import Testing

@testable import MartletCache

/// A client with a cache over a scripted transport, with manual time.
struct CachedClient: Sendable {
    let time: ManualTime
    let transport: MockTransport
    let cache: CacheInterceptor
    let client: HTTPClient
    /// The events that the cache has reported.
    let events = Recorder<CacheInterceptor.Event>()

    init(
        _ transport: MockTransport, store: (any CacheStore)? = nil, settings: CacheSettings = CacheSettings(),
        scope: CacheScope = .credentials, timeout: Duration? = nil, outside: [any Interceptor] = [],
        inside: [any Interceptor] = [], time: ManualTime = ManualTime()
    ) {
        self.time = time
        self.transport = transport
        cache = CacheInterceptor(
            store: store ?? MemoryCacheStore(), settings: settings, scope: scope, time: time, random: .system,
            report: { [events] in events.append($0) })
        client = HTTPClient(
            baseURL: URL(string: "https://birds.test/"), transport: transport, interceptors: outside + [cache] + inside,
            configuration: .init(totalTimeout: timeout, attemptTimeout: nil, idleTimeout: nil), time: time)
    }

    /// Sends a GET and accepts any status.
    func get(
        _ path: String = "x", _ headers: HTTPFields = [:], method: HTTPMethod = .get, policy: CachePolicy = .useProtocol
    ) async throws -> HTTPResponse<Data> {
        try await client.response(for: Self.request(path, headers, method: method, policy: policy))
    }

    /// Sends a GET with a streamed response.
    func stream(_ path: String = "x", _ headers: HTTPFields = [:]) async throws -> HTTPResponse<HTTPBody> {
        try await client.stream(Self.request(path, headers))
    }

    static func request(
        _ path: String = "x", _ headers: HTTPFields = [:], method: HTTPMethod = .get, policy: CachePolicy = .useProtocol
    ) -> Request<Data> {
        var request = Request<Data>(
            method: method, path: Path(raw: path), headers: headers, body: method == .post ? .data(Data("{}".utf8)) : nil,
            decoding: ResponseDecoding { response, _ in response.body })
        request.validation = .none
        request.options.cachePolicy = policy
        request.options.redirects = .none
        return request
    }

    /// The fields of the sent requests, in order.
    var sent: [HTTPFields] { transport.requests.map(\.headers) }
    var count: Int { transport.requests.count }
}

extension HTTPResponse<Data> {
    var text: String { String(decoding: body, as: UTF8.self) }
    var cacheStatus: CacheStatus? { metadata.cacheStatus }
    /// The cache status in the form of RFC 9211.
    var cacheWords: String { cacheStatus?.description ?? "none" }
}

extension HTTPFields {
    /// Fields of a response that is fresh for some seconds, with more directives and an entity tag.
    static func fresh(_ seconds: Int = 60, _ more: String = "", tag: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [.cacheControl: "max-age=\(seconds)" + (more.isEmpty ? "" : ", " + more)]
        if let tag { fields[.eTag] = tag }
        return fields
    }
}
