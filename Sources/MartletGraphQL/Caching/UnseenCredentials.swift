internal import MartletCore

/// Decides whether interceptors may add a credential to a request after the document cache has made its key.
enum UnseenCredentials {
    /// Whether one of the interceptors may add a credential to the request.
    static func mayBeAdded(to request: HTTPRequest, by interceptors: [any Interceptor]) -> Bool {
        interceptors.contains { mayAdd($0, to: request) }
    }

    private static func mayAdd(_ interceptor: any Interceptor, to request: HTTPRequest) -> Bool {
        switch interceptor {
        case is RetryInterceptor, is IdempotencyKeyInterceptor, is CacheInterceptor, is LoggingInterceptor, is PrivateAddressGuard: false
        case let headers as HeadersInterceptor: headers.hasCredentials
        case let auth as AuthInterceptor: !auth.leaves(request)
        // An interceptor of the app's own may add one, perhaps only while a user is signed in.
        default: true
        }
    }
}
