// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import Martlet

// Names of the examples about signing in.

public let store = InMemoryTokenStore()
public let tokens = StoredTokenProvider(store: store) { $0 }
public let provider = tokens
public let firstToken = AccessToken("a")
nonisolated(unsafe) public var token: AccessToken? = firstToken
public let oauth = OAuth2Client(id: "birds", tokenEndpoint: url, http: client)
public let authorization: OAuth2Authorization = placeholder()
public let callback = url
public let keys = tokens

/// Stands for the code of an app that gets another token from its server.
public func refresh(_ expired: AccessToken) async throws -> AccessToken { expired }
public func signature(of request: HTTPRequest, with key: String) -> String { key }

/// Opens a page in a browser and returns the URL that it redirects to.
public func open(_ url: URL) async throws -> URL { url }

/// A service that keeps secrets.
public struct SecretsService: Sendable {
    public func read(_ name: String) async throws -> AccessToken { firstToken }
    public func renew(_ name: String) async throws -> AccessToken { firstToken }
}
public let vault = SecretsService()
