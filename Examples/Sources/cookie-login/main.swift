// A sign-in with a session cookie across a redirect, kept in a file for the next launch.
import Foundation
import Martlet

struct Profile: Decodable, Sendable {
    let name: String
}

struct SignIn: Endpoint {
    typealias Response = Profile
    let user: String
    let password: String
    var path: Path { "login" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .form(["user": user, "password": password]) }
}

/// Returns a client over a store, as a launch of the app would create it.
func makeClient(_ url: URL, _ store: FileCookieStore) -> HTTPClient {
    var standard = StandardInterceptors()
    standard.cookies = CookieInterceptor(store: store) { error in
        if case .rejected(let name, _, let reason) = error { print("rejected: \(name), \(reason.rawValue)") }
    }
    return HTTPClient(baseURL: url, interceptors: standard.list)
}

let server = try await startServer()
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookie-login-\(UUID().uuidString)")
let file = folder.appendingPathComponent("cookies.json")
let store = FileCookieStore(file)
let client = makeClient(server.url, store)

// Without the cookie, the profile is refused.
guard case .failure(.statusCode(let refused)) = await client.result(of: Request<Profile>.get("profile")) else {
    preconditionFailure("the profile is public")
}
precondition(refused.status == .unauthorized)

// The 302 of the login sets the cookie, and the next hop sends it.
let profile = try await client.send(SignIn(user: "wren", password: "correct horse"))
print("signed in: \(profile.name)")
precondition(profile.name == "Wren")
let cookies = try await store.cookies()
print("cookies: \(cookies)")
precondition(cookies.map(\.name) == ["session"] && cookies[0].isPersistent)

// The next launch reads the file.
let nextStore = FileCookieStore(file)
let nextLaunch = makeClient(server.url, nextStore)
let again = try await nextLaunch.send(Request<Profile>.get("profile"))
print("next launch: \(again.name)")
precondition(again.name == "Wren")

// curl reads Netscape's format. It contains the session.
let text = try await nextStore.netscapeText()
precondition(text.contains("session\ts3cret"))

// The server expires the cookie.
try await nextLaunch.send(Request<EmptyResponse>.post("logout"))
let left = try await nextStore.cookies()
print("after signing out: \(left.count) cookies")
precondition(left.isEmpty)
// Changes are saved within a second, or now.
try await nextStore.save()
try? FileManager.default.removeItem(at: folder)
await server.stop()
