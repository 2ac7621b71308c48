// Metrics by endpoint: counts and times under names without variable values, so that the number of names stays small.
import Foundation
import Martlet

enum BirdAPI: Endpoint {
    case list
    case bird(id: Int)

    var path: Path {
        switch self {
        case .list: "birds"
        case .bird(let id): "birds/\(id)"
        }
    }
}

struct AddBird: Endpoint {
    let name: String
    var path: Path { "birds" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(["name": name]) }
}

/// Counts and times calls by endpoint, route and outcome. An app passes them to its metrics library instead.
actor Metrics {
    private(set) var counts: [String: Int] = [:]
    private(set) var times: [String: Duration] = [:]

    func record(_ label: String, took duration: Duration) {
        counts[label, default: 0] += 1
        times[label, default: .zero] += duration
    }
}

struct MetricsInterceptor: Interceptor {
    let metrics: Metrics

    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        let context = request.context, start = context.time.instant
        let label = "\(context.endpointName) \(request.method) /\(context.pathTemplate)"
        do throws(HTTPError) {
            let response = try await next(request)
            await metrics.record("\(label) \(response.status.rawValue)", took: context.time.instant - start)
            return response
        } catch {
            await metrics.record("\(label) failed", took: context.time.instant - start)
            throw error
        }
    }
}

let server = try await startServer()
let metrics = Metrics()
let client = HTTPClient(baseURL: server.url, interceptors: [MetricsInterceptor(metrics: metrics)])

try await client.send(BirdAPI.list)
for id in 1...3 { _ = await client.result(of: BirdAPI.bird(id: id)) }
try await client.send(AddBird(name: "Pallid swift"))
_ = try await client.send(Request<Data>.get("birds/\(7)/photo").named("photo"))

let counts = await metrics.counts, times = await metrics.times
for (label, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) × \(label), \(times[label, default: .zero]) in all") }

precondition(
    counts == [
        "BirdAPI.list GET /birds 200": 1, "BirdAPI.bird GET /birds/{} 200": 2, "BirdAPI.bird GET /birds/{} 404": 1,
        "AddBird POST /birds 201": 1, "photo GET /birds/{}/photo 200": 1,
    ])
