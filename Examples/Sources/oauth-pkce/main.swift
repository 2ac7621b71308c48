// Signing in on a web page (OAuth 2, authorization code with PKCE), and calls with tokens that are refreshed.
import Foundation
import Martlet

struct User: Decodable {
    let name: String
}

let server = try await startServer()
let oauth = OAuth2Client(id: "birds-app", tokenEndpoint: server.url.appendingPathComponent("token"), http: HTTPClient())
let tokens = OAuth2TokenProvider(oauth, store: InMemoryTokenStore())  // an app: SystemTokenStore of MartletKeychain
let client = HTTPClient(baseURL: server.url, interceptors: [AuthInterceptor(tokens)])

// The URL of the sign-in page contains the state and the challenge. An app opens it in ASWebAuthenticationSession or the browser.
let authorization = try OAuth2Authorization(
    endpoint: server.url.appendingPathComponent("authorize"), clientID: oauth.id, redirectURI: "birds://signed-in", scopes: ["read"])
let callback = try await userConfirms(authorization.url)

// The code is valid once and only together with the verifier, which never left this process.
try await tokens.signIn(oauth.exchange(callback: callback, of: authorization))
print("signed in")

let user = try await client.send(Request<User>.get("me"))  // the server rejects the first token, so it is refreshed
print("\(user.name) is here, after the requests \(server.requests.map(\.path))")

// A callback that belongs to another request is refused, without a request to the server.
do {
    let foreign = URL(string: "birds://signed-in?code=stolen&state=other")!
    _ = try await oauth.exchange(callback: foreign, of: authorization)
    fatalError("a foreign callback was accepted")
} catch {
    print("refused: \(error)")
}

precondition(user.name == "Ada")
precondition(server.requests.map(\.path) == ["/authorize", "/token", "/me", "/token", "/me"])
