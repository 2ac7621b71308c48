import Foundation

@testable import MartletCache

/// Requests and stored responses for the tables of the cache's rules.
enum CacheSample {
    /// When the stored responses were received: Tue, 14 Nov 2023 22:13:20 GMT.
    static let moment = Date(timeIntervalSince1970: 1_700_000_000)

    static let shared = CacheSettings(isShared: true)

    /// The date some seconds later, in the form of a header field.
    static func date(_ seconds: Double) -> String { HTTPDate(moment.addingTimeInterval(seconds)).description }

    static func request(_ headers: HTTPFields = [:], _ method: HTTPMethod = .get, _ url: String = "http://a.example/x") -> HTTPRequest {
        guard let url = URL(string: url) else { return HTTPRequest(method: method, url: URL(filePath: "/"), headers: headers) }
        return HTTPRequest(method: method, url: url, headers: headers)
    }

    static func response(_ headers: HTTPFields, _ status: HTTPStatus = 200) -> HTTPResponse<Void> {
        HTTPResponse(status: status, headers: headers, body: ())
    }

    static func stored(
        _ headers: HTTPFields, _ status: HTTPStatus = 200, id: String = "1", variant: CacheVariant = CacheVariant(), asked: Double = 0,
        received: Double = 0, part: StoredResponse.Part? = nil, wasContentCoded: Bool = false, isInvalidated: Bool = false
    ) -> StoredResponse {
        StoredResponse(
            id: id, key: CacheKey(uri: "http://a.example/x"), variant: variant, status: status, headers: headers,
            requestTime: moment.addingTimeInterval(asked), responseTime: moment.addingTimeInterval(received), part: part,
            wasContentCoded: wasContentCoded, isInvalidated: isInvalidated)
    }

    /// A response as the cache stores it, with `Date` and the request's selecting fields.
    static func kept(_ headers: HTTPFields, _ request: HTTPFields = [:], _ settings: CacheSettings = CacheSettings()) -> StoredResponse {
        stored(
            StorageRules.storedFields(headers, received: moment, settings),
            variant: VaryRules.variant(of: request, for: headers) ?? CacheVariant())
    }

    static func freshness(_ response: StoredResponse, after seconds: Double, _ settings: CacheSettings = CacheSettings()) -> Freshness {
        Freshness(of: response, at: moment.addingTimeInterval(seconds), settings: settings)
    }
}
