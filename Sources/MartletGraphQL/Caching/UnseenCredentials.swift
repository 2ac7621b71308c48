/// Decides whether interceptors may add a credential to a request after the document cache has made its key.
enum UnseenCredentials {
    /// Returns whether one of the interceptors may add a credential to the request.
    ///
    /// An interceptor of the app's own may add one, perhaps only while a user is signed in.
    static func mayBeAdded(to request: HTTPRequest, by interceptors: [any Interceptor]) -> Bool {
        interceptors.contains { ($0 as? any CredentialAddingInterceptor)?.mayAddCredential(to: request) ?? true }
    }
}
