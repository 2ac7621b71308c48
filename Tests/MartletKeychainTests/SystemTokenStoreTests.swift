import MartletTesting
import Testing

@testable import MartletKeychain

@Suite("The platform's token store and provider", .timeLimit(.minutes(5)))
struct SystemTokenStoreTests {
    @Test("The platform's store has one name on every platform, and a provider over it takes one line")
    func names() {
        let store: any TokenStore = SystemTokenStore(service: "s", account: "a")
        #if os(Linux)
        #expect(store is SecretServiceTokenStore)
        #endif
        let provider: any TokenProvider = KeychainTokenProvider(service: "s", account: "a") { expired in expired }
        #expect(provider is StoredTokenProvider)
        _ = KeychainTokenProvider(service: "s")
    }
}
