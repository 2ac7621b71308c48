// Signing in with a form. When the token has expired (401), it is refreshed once for all calls, and each call is resent.
import Foundation
import Martlet

struct Session: Decodable {
    let accessToken: String
    let refreshToken: String

    var token: AccessToken { AccessToken(accessToken, refreshToken: refreshToken) }
}

struct Order: Decodable {
    let id: Int
}

extension Request where Response == Session {
    static func signIn(user: String, password: String) -> Self {
        .post("login", body: .form(["username": user, "password": password]))
    }

    static func refresh(_ token: String?) -> Self {
        .post("refresh", body: .form(["refresh_token": token]))
    }
}

let server = try await startServer()

// The session's own requests need no token, so they have a client without one.
let accounts = HTTPClient(baseURL: server.url, decoder: .snakeCase)
let tokens = StoredTokenProvider(store: InMemoryTokenStore()) { expired in
    do {
        return try await accounts.send(.refresh(expired.refreshToken)).token
    } catch let error as HTTPError where error.status == .forbidden {
        throw SessionEndedError(cause: error)  // this server signals with it that the user must sign in again
    }
} onSessionEnd: { _ in
    print("the session has ended: show the sign-in page")
}
let shop = HTTPClient(baseURL: server.url, interceptors: [AuthInterceptor(tokens)])

try await tokens.signIn(accounts.send(.signIn(user: "ada", password: "s3cret")).token)
print("signed in")

// The token has expired at the server.
async let first = shop.send(Request<Order>.get("orders/1"))
async let second = shop.send(Request<Order>.get("orders/2"))
async let third = shop.send(Request<Order>.get("orders/3"))
let orders = try await [first, second, third]
let refreshes = server.requests(matching: .post("/refresh")).count
print("orders \(orders.map(\.id)) after \(refreshes) refresh")

// An administrator ends the session: the next refresh is refused.
endSession(on: server)
do {
    _ = try await shop.send(Request<Order>.get("orders/4"))
    fatalError("a call without a session was accepted")
} catch {
    guard case .authenticationFailed = error else { throw error }
    print("the call failed, and nothing is stored any more")
}
let stored = try await tokens.token()

precondition(orders.map(\.id) == [1, 2, 3] && refreshes == 1 && stored == nil)
precondition(server.requests.first?.form == ["username": "ada", "password": "s3cret"])
