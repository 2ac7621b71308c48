import Foundation
import Martlet

extension HTTPClient {
    /// Returns a client with authentication and the standard interceptors. Logging writes nothing in release builds.
    public static func standard(_ origin: URL, transport: some Transport = PlatformTransport()) -> HTTPClient {
        let tokens = AuthInterceptor(AccessToken("token"), origins: Origin(origin).map { [$0] })
        return HTTPClient(baseURL: origin, transport: transport, interceptors: StandardInterceptors(authentication: tokens).list)
    }
}
