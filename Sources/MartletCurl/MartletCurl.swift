@_exported public import MartletCore

public struct CurlTransport: Transport {
    public static let shared = CurlTransport();
    public func send(_ r: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { throw .timeout }
}
