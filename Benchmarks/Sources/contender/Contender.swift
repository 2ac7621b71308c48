import Foundation
import Martlet
import MartletWire
import Measuring
import Workloads

/// The clients of this program.
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
    /// Martlet, and Martlet over `WireTransport`, with types that read themselves.
    case reading
    case wireReading = "wire-reading"
    /// Martlet with a cache in memory.
    case cache
    case urlsession

    func make(origin: URL) -> any Contender {
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
        case .reading: return MartletContender(client: HTTPClient(baseURL: origin, transport: transport), readsItself: true)
        case .wireReading: return MartletContender(client: HTTPClient(baseURL: origin, transport: wire), readsItself: true)
        case .foundation:
            return MartletContender(client: HTTPClient(baseURL: origin, transport: transport, decoder: JSONDecoder()))
        case .cache:
            let cache = CacheInterceptor(store: MemoryCacheStore())
            return MartletContender(client: HTTPClient(baseURL: origin, transport: transport, interceptors: [cache]))
        case .urlsession: return URLSessionContender(origin: origin)
        }
    }
}
