// A bearer token stored in the keychain (on Linux in the Secret Service) and sent with every request to its server.
import Foundation
import Martlet
import MartletKeychain

struct User: Decodable {
    let name: String
}

/// Stores the token in the system's keyring, or in memory on a machine without a keyring.
func signIn(_ token: AccessToken) async throws -> StoredTokenProvider {
    let keychain = KeychainTokenProvider(service: "com.example.birds", account: "ada")
    do {
        try await keychain.signIn(token)
        print("the token is in the system's keyring")
        return keychain
    } catch {  // error is TokenStoreError
        print("no keyring here, so the token is in memory: \(error)")
        let memory = StoredTokenProvider(store: InMemoryTokenStore())
        try await memory.signIn(token)
        return memory
    }
}

let server = try await startServer(accepting: "s3cret")
let tokens = try await signIn(AccessToken("s3cret"))
let client = HTTPClient(baseURL: server.url, interceptors: [AuthInterceptor(tokens)])

let user = try await client.send(Request<User>.get("me"))
print("signed in as \(user.name)")

try await tokens.signOut()  // removes the token from the keyring
do {
    _ = try await client.send(Request<User>.get("me"))
    fatalError("a request without a token was accepted")
} catch {
    print("signed out: \(error.status.map { "\($0)" } ?? "\(error)")")
}

precondition(user.name == "Ada")
precondition(server.requests.map { $0.headers[.authorization] } == ["Bearer s3cret", nil])
