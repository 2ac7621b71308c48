public import MartletEssentials

extension OTLPExporter {
    /// Creates an exporter over a platform transport of its own, so that `cancelAll()` and `drain(within:)` of other clients do not affect
    /// it.
    ///
    /// ```swift
    /// let exporter = OTLPExporter(url: URL(string: "http://localhost:4318/v1/traces")!, service: "shop")
    /// let tracing = TracingObserver(SpanTracer(exporter))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the collector's endpoint for traces, usually one that ends with `/v1/traces`.
    ///   - service: The name of this service, the attribute `service.name` of the resource.
    ///   - resource: Other attributes of the resource, such as `service.version`.
    ///   - headers: Fields of each request, such as the collector's credential.
    ///   - limits: The sizes and times. Default: those of OpenTelemetry's SDKs.
    public convenience init(
        url: URL, service: String, resource: [String: SpanValue] = [:], headers: HTTPFields = [:], limits: Limits = Limits()
    ) {
        self.init(
            url: url, service: service, resource: resource, headers: headers, limits: limits,
            transport: PlatformTransport(TransportConfiguration()))
    }
}
