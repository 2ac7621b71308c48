import Foundation
import Martlet
import Observation

// An app that is isolated to the main actor by default. Only models need a word of their own: values are decoded off the main actor.

/// With a protocol like this, a model needs no word at all.
nonisolated protocol Model: Codable, Sendable {}

struct Bird: Model, Equatable {
    let id: Int
    let name: String
}

nonisolated struct Keeper: Codable {
    let name: String
}

// The members of an extension are on the main actor again, unless the extension says otherwise.
nonisolated extension Keeper {
    var initial: String { String(name.prefix(1)) }
}

// Endpoints, interceptors and other types that conform to Martlet's protocols are not isolated.

struct GetBird: Endpoint {
    typealias Response = Bird
    let id: Int
    var path: Path { "birds/\(id)" }
}

enum KeeperAPI: Endpoint {
    case keeper(Int), add(Keeper)

    var path: Path {
        switch self {
        case .keeper(let id): "keepers/\(id)"
        case .add: "keepers"
        }
    }
    var method: HTTPMethod { if case .add = self { .post } else { .get } }
    var body: RequestBody? { if case .add(let keeper) = self { .json(keeper) } else { nil } }
}

extension Request where Response == [Bird] {
    static func birds() -> Self { .get("birds") }
}

struct LanguageInterceptor: Interceptor {
    let language: String

    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        var request = request
        request.headers["Accept-Language"] = language
        return try await next(request)
    }
}

struct Tokens: TokenProvider {
    func token() async throws -> AccessToken? { AccessToken("token") }
    func token(replacing token: AccessToken) async throws -> AccessToken? { nil }
}

enum AppError: Error, Equatable { case missing, other(String) }

struct AppErrors: ErrorMapper {
    func map(_ error: HTTPError) -> AppError { error.status == .notFound ? .missing : .other(error.localizedDescription) }
}

@Observable final class BirdModel {
    private(set) var birds: [Bird] = []
    private(set) var lines: [String] = []
    private(set) var progress: Double?
    private(set) var problem: AppError?
    private let api: APIClient<AppError>

    init(http: HTTPClient) { api = http.mappingErrors(AppErrors()) }

    func load() async {
        do { birds = try await api.send(.birds()) } catch { problem = error }
    }

    func open(_ id: Int) -> Task<Void, Never> {
        Task {
            do throws(AppError) { birds = [try await api.send(GetBird(id: id))] } catch { problem = error }
        }
    }

    func follow() async throws {
        for try await line in api.lines(.get("log")) { lines.append(line) }
        // The sequence reconnects when the server ends the stream; leaving the loop closes it.
        for try await bird in api.events(.get("arrivals"), as: Bird.self) {
            birds.append(bird)
            if birds.count == 1 { break }
        }
    }

    func upload(_ keeper: Keeper) async throws {
        try await api.upload(KeeperAPI.add(keeper)) { self.progress = $0.fraction }
    }
}
