import Foundation
import Martlet

extension Conversation {
    /// Creates a conversation with the model of a server.
    convenience init(baseURL: URL, key: String?, model: String, system: String, time: any TimeSource = .system) {
        // A POST is not retried, because the model may have begun to work. After a 429 it has not.
        let policy = RetryPolicy(maxRetryAfter: .seconds(30)) { attempt in
            attempt.response?.status == .tooManyRequests ? .retryRegardless : .applyRules
        }
        let standard = StandardInterceptors(
            authentication: key.map { AuthInterceptor(AccessToken($0)) }, retry: RetryInterceptor(policy))
        let client = HTTPClient(baseURL: baseURL, interceptors: standard.list, time: time)
        self.init(system: system, model: model, api: client.mappingErrors(ChatErrorMapper()))
    }
}
