internal import Foundation
internal import MartletHTTP

/// The measurements of an exchange, on platforms that provide them.
struct ExchangeDetails: Sendable {
    var timings: ResponseMetadata.Timings?
    var remoteAddress: String?
    var isConnectionReused: Bool?
    var version: HTTPVersion?

    func fill(_ metadata: inout ResponseMetadata) {
        metadata.version = version
        metadata.timings = timings
        metadata.remoteAddress = remoteAddress
        metadata.isConnectionReused = isConnectionReused
    }
}

#if !canImport(FoundationNetworking)
extension ExchangeDetails {
    /// The metrics of the task's last transaction, because a cache or a proxy may have been asked before.
    init(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return }
        let start = metrics.taskInterval.start
        var timings = ResponseMetadata.Timings()
        timings.queued = .between(start, last.fetchStartDate)
        timings.nameLookup = .between(last.domainLookupStartDate, last.domainLookupEndDate)
        timings.connect = .between(last.connectStartDate, last.secureConnectionStartDate ?? last.connectEndDate)
        timings.tls = .between(last.secureConnectionStartDate, last.secureConnectionEndDate)
        timings.firstByte = .between(start, last.responseStartDate)
        timings.total = .between(start, metrics.taskInterval.end)
        self.timings = timings
        remoteAddress = last.remoteAddress
        isConnectionReused = last.isReusedConnection
        switch last.networkProtocolName {
        case "http/1.0": version = .http10
        case "http/1.1": version = .http11
        case "h2": version = .http2
        case "h3": version = .http3
        default: version = nil
        }
    }
}

extension Duration {
    fileprivate static func between(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
#endif
