internal import MartletCore

/// Whether a request may get a credential after the keys of the document cache are made: functions of values.
enum UnseenCredentials {
    /// Whether one of these interceptors may add a credential to a request that is made so.
    static func mayBeAdded(to request: HTTPRequest, by interceptors: [any Interceptor]) -> Bool {
        interceptors.contains { mayAdd($0, to: request) }
    }

    private static func mayAdd(_ interceptor: any Interceptor, to request: HTTPRequest) -> Bool {
        switch interceptor {
        case is RetryInterceptor, is IdempotencyKeyInterceptor, is CacheInterceptor, is LoggingInterceptor, is PrivateAddressGuard: false
        case let headers as HeadersInterceptor: headers.hasCredentials
        case let auth as AuthInterceptor: !auth.leaves(request)
        // One of the app's own may add one, or may add one only while a user is signed in.
        default: true
        }
    }
}
