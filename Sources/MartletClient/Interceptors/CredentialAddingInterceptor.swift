/// An interceptor that states whether it may add to a request a credential, or another field that may identify the user.
///
/// GraphQL's document cache, like any store that creates its keys before the interceptors run, does not store the response to a request to
/// which an interceptor may still add a credential. An interceptor that does not conform is expected to add one.
package protocol CredentialAddingInterceptor: Interceptor {
    /// Returns whether the interceptor may add a credential to the request, or another field that may identify the user.
    func mayAddCredential(to request: HTTPRequest) -> Bool
}

extension CredentialAddingInterceptor {
    /// Returns false: most interceptors never add a credential.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { false }
}
