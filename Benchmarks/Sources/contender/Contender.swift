import Foundation
import Martlet
import MartletWire
import Workloads

/// A client to measure.
protocol Contender: Sendable {
    /// Returns the protocol of a response as the server names it, such as `HTTP/2.0`.
    func spokenProtocol() async throws -> String
    /// Makes one call. Throws an error unless the response is complete.
    func call(_ work: Work) async throws -> CallResult
    /// The executor of the tasks that make the calls; nil for Swift's task pool.
    var executor: (any TaskExecutor)? { get }
}

extension Contender {
    var executor: (any TaskExecutor)? { nil }
}

/// The number of calls, or of events, and the bytes of the bodies.
struct CallResult {
    var count = 1
    let bytes: Int
}

/// The client cannot do the work.
struct Unsupported: Error {
    let work: Work
}

/// An incomplete or unexpected response.
struct WrongResponse: Error {
    let text: String
}


enum ContenderName: String, CaseIterable {
    /// Martlet with all defaults.
    case martlet
    /// Martlet with authentication and the standard interceptors.
    case standard
    /// `martlet` and `standard` on the transport's own executor.
    case martletExecutor = "martlet-executor"
    case standardExecutor = "standard-executor"
    /// Martlet over `WireTransport`, with and without the standard interceptors, and on that transport's executor.
    case wire
    case wireStandard = "wire-standard"
    case wireExecutor = "wire-executor"
    case wireStandardExecutor = "wire-standard-executor"
    /// Martlet with Foundation's decoder.
    case foundation
    /// Martlet with a cache in memory.
    case cache
    case urlsession

    func make(origin: URL, inFlight: Int) -> any Contender {
        let transport = MartletContender.transport, wire = WireTransport(MartletContender.configuration)
        switch self {
        case .wire: return MartletContender(client: HTTPClient(baseURL: origin, transport: wire))
        case .wireStandard: return MartletContender(client: .standard(origin, transport: wire))
        case .wireExecutor: return MartletContender(client: HTTPClient(baseURL: origin, transport: wire), executor: wire.taskExecutor)
        case .wireStandardExecutor:
            return MartletContender(client: .standard(origin, transport: wire), executor: wire.taskExecutor)
        case .martlet: return MartletContender(client: HTTPClient(baseURL: origin, transport: transport))
        case .standard: return MartletContender(client: .standard(origin, transport: transport))
        case .martletExecutor:
            return MartletContender(client: HTTPClient(baseURL: origin, transport: transport), executor: transport.taskExecutor)
        case .standardExecutor:
            return MartletContender(client: .standard(origin, transport: transport), executor: transport.taskExecutor)
        case .foundation:
            return MartletContender(client: HTTPClient(baseURL: origin, transport: transport, decoder: JSONDecoder()))
        case .cache:
            let cache = CacheInterceptor(store: MemoryCacheStore())
            return MartletContender(client: HTTPClient(baseURL: origin, transport: transport, interceptors: [cache]))
        case .urlsession: return URLSessionContender(origin: origin)
        }
    }
}
