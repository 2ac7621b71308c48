public import Martlet

@_exported import struct Foundation.URL

// Names that the documentation's code uses without declaring them.

public let url = URL(string: "https://api.example")!
public let client = HTTPClient(baseURL: url)

public struct User: Codable, Sendable, Identifiable {
    public var id: Int
    public var name: String

    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

public struct GetUser: Endpoint {
    public typealias Response = User
    public let id: Int
    public var path: Path { "users/\(id)" }

    public init(id: Int) { self.id = id }
}

/// Stands for the code of an app that uses a value.
public func show(_ values: Any...) {}
