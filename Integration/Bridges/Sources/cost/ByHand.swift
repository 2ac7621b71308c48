#if SwiftLog && SwiftMetrics && SwiftTracing
import CoreMetrics
import Foundation
import Logging
import Martlet
import Tracing

/// Makes calls that ask of the backends what the bridges ask of them, with values that are known beforehand.
struct ByHand<Tracer: Tracing::Tracer>: Sendable {
    private let client: HTTPClient
    private let logger: Logger
    private let tracer: Tracer
    private let host: String
    private let port: Int
    private let active: any MeterHandler
    private let requestDuration: any TimerHandler
    private let callDuration: any TimerHandler
    private let responseSize: any RecorderHandler

    init(_ client: HTTPClient, _ origin: URL, _ logger: Logger, _ tracer: Tracer) {
        self.client = client
        self.logger = logger
        self.tracer = tracer
        host = origin.host ?? ""
        port = origin.port ?? 80
        let factory = DiscardingFactory()
        let target = [("http.request.method", "GET"), ("url.template", "/1k"), ("server.address", host), ("server.port", "\(port)")]
        let result = target + [("http.response.status_code", "200"), ("error.type", ""), ("martlet.outcome", "2xx")]
        active = factory.makeMeter(label: "http.client.active_requests", dimensions: target)
        requestDuration = factory.makeTimer(label: "http.client.request.duration", dimensions: result)
        callDuration = factory.makeTimer(label: "martlet.client.call.duration", dimensions: result)
        responseSize = factory.makeRecorder(label: "http.client.response.body.size", dimensions: result, aggregate: true)
    }

    @Sendable func call() async throws -> Data {
        let began = ContinuousClock.now
        logger.trace("#1 → GET \(host) GET 1k", metadata: metadata)
        let span = tracer.startSpan("GET 1k", context: ServiceContext.current ?? .topLevel, ofKind: .internal)
        set(span) { attributes in
            request(&attributes)
            attributes.set("martlet.call.kind", value: .string("request"))
        }
        let attempt = tracer.startSpan("GET /1k", context: span.context, ofKind: .client)
        set(attempt, request)
        var fields: [(name: String, value: String)] = []
        tracer.inject(attempt.context, into: &fields, using: FieldInjector())
        active.increment(by: 1)
        let sent = fields.reduce(Request<Data>.get("1k")) { $0.header(HTTPFieldName($1.name), $1.value) }
        let response = try await ServiceContext.$current.withValue(span.context) { try await client.response(for: sent) }
        active.decrement(by: 1)
        let duration = began.duration(to: .now)
        requestDuration.recordNanoseconds(nanoseconds(duration))
        responseSize.record(Int64(response.body.count))
        set(attempt) { attributes in
            attributes.set("http.response.status_code", value: .int64(200))
            attributes.set("network.protocol.version", value: .string("1.1"))
            attributes.set("network.peer.address", value: .string("127.0.0.1"))
            attributes.set("martlet.connection.reused", value: .bool(true))
        }
        attempt.end()
        callDuration.recordNanoseconds(nanoseconds(duration))
        set(span) { $0.set("http.response.status_code", value: .int64(200)) }
        span.end()
        var metadata = metadata
        metadata["http.response.status_code"] = "200"
        metadata["martlet.duration"] = "\(duration)"
        metadata["martlet.attempts"] = "1"
        logger.debug("#1 ← 200 OK GET \(host) 1k (\(duration), HTTP/1.1, 1024 bytes)", metadata: metadata)
        return response.body
    }

    private var metadata: Logger.Metadata {
        [
            "martlet.call": "1", "http.request.method": "GET", "server.address": .string(host), "url.template": "/1k",
            "martlet.endpoint": "GET 1k",
        ]
    }

    private func request(_ attributes: inout SpanAttributes) {
        attributes.set("http.request.method", value: .string("GET"))
        attributes.set("url.template", value: .string("/1k"))
        attributes.set("server.address", value: .string(host))
        attributes.set("server.port", value: .int64(Int64(port)))
        attributes.set("url.scheme", value: .string("http"))
    }

    private func set(_ span: Tracer.Span, _ change: (inout SpanAttributes) -> Void) {
        guard span.isRecording else { return }
        var attributes = span.attributes
        change(&attributes)
        span.attributes = attributes
    }

    private func nanoseconds(_ duration: Duration) -> Int64 { Int64(duration / .nanoseconds(1)) }

    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout [(name: String, value: String)]) { fields.append((key, value)) }
    }
}
#endif
