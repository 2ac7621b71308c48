import Alamofire
import Foundation
import Measuring

/// Alamofire with its defaults, but as many connections as Martlet's. It works over URLSession.
struct AlamofireContender: Contender {
    private let origin: String
    private let session: Session
    private static let uploaded = Data(count: 1 << 20)

    init(origin: URL) {
        self.origin = origin.absoluteString
        let configuration = URLSessionConfiguration.af.default
        configuration.httpMaximumConnectionsPerHost = maxConnections
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 120
        session = Session(configuration: configuration)
    }

    func spokenProtocol() async throws -> String { String(decoding: try await data(get("protocol")), as: UTF8.self) }

    func call(_ work: Work) async throws -> CallResult {
        switch work {
        case .small, .large, .cached: return CallResult(bytes: try await data(get(work.rawValue)).count)
        case .json:
            return try CallResult(products: try await get("json").serializingDecodable([Product].self).value.count)
        case .upload:
            _ = try await session.upload(AlamofireContender.uploaded, to: "\(origin)/upload").validate()
                .serializingData(emptyResponseCodes: [204]).value
            return CallResult()
        case .graphql:
            let request = session.request("\(origin)/graphql", method: .post, parameters: Birds.query, encoder: JSONParameterEncoder.default)
            return try Birds.check(try await data(request.validate()))
        case .download, .events: throw Unsupported(work)
        }
    }

    private func get(_ path: String) -> DataRequest { session.request("\(origin)/\(path)").validate() }

    private func data(_ request: DataRequest) async throws -> Data { try await request.serializingData().value }
}
