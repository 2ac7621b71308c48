package import MartletEssentials

/// An endpoint with some of its parts replaced. Sequences that send several requests (events, pages, ranges) use it for the next request.
///
/// Test doubles look through it at ``base``, so that stubs by an endpoint's type also match it.
package struct AdjustedEndpoint<Base: Endpoint>: Endpoint {
    package typealias Response = Data
    package typealias ErrorBody = Base.ErrorBody

    let base: Base
    package var baseURL: URL?
    package var url: URL?
    package var path: Path
    package var method: HTTPMethod
    package var query: Query
    package var headers: HTTPFields
    package var body: RequestBody?
    package var timeout: Duration?
    package var validation: StatusValidation
    package var options: CallOptions
    package var endpointName: String { base.endpointName }

    package init(_ base: Base) {
        self.base = base
        baseURL = base.baseURL
        url = base.url
        path = base.path
        method = base.method
        query = base.query
        headers = base.headers
        body = base.body
        timeout = base.timeout
        validation = base.validation
        options = base.options
    }
}

/// A common interface of all adjusted endpoints.
package protocol AdjustsEndpoint: Sendable {
    /// The user's endpoint, without any adjustment.
    var original: any Endpoint { get }
}

extension AdjustedEndpoint: AdjustsEndpoint {
    package var original: any Endpoint { (base as? any AdjustsEndpoint)?.original ?? base }
}
