import Foundation
import Martlet
import MartletMockServer

/// Starts an authorization server that is also the API, and checks the proof of each code.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start(), challenge = Recorder<String>()
    server.on(.get("/authorize?client_id=birds-app&response_type=code&code_challenge_method=S256")) { request, _ in
        challenge.append(request.query["code_challenge"] ?? "")
        return .status(302, headers: [.location: "birds://signed-in?code=c0de&state=\(request.query["state"] ?? "")"])
    }
    server.on(.post("/token")) { request, _ in
        let form = request.form
        switch form["grant_type"] {
        case "authorization_code"
        where form["code"] == "c0de" && PKCE(verifier: form["code_verifier"] ?? "")?.challenge == challenge.values.last:
            return .json(#"{"access_token":"t1","token_type":"Bearer","expires_in":3600,"refresh_token":"r1"}"#)
        case "refresh_token" where form["refresh_token"] == "r1":
            return .json(#"{"access_token":"t2","token_type":"Bearer","expires_in":3600}"#)
        default: return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
    }
    server.on(.get("/me"), .status(401))
    server.on(.get("/me").header(.authorization, "Bearer t2"), .json(#"{"name":"Ada"}"#))
    return server
}

/// Opens the page and confirms, as a user does in a browser, and returns the URL that the browser is sent to.
func userConfirms(_ page: URL) async throws -> URL {
    let response = try await HTTPClient().response(for: Request<Data>.get(url: page).redirects(.none).validating([302]))
    return URL(string: response.headers[.location] ?? "")!
}
