public import Foundation
public import Martlet

/// A value in the response to `GET /api/v1/users/{id}`.
public struct User: Encodable, Hashable, Sendable {
    /// The member `id`.
    public let id: Int
    /// The member `name`.
    public let name: String
    /// The member `email`.
    public let email: String?
    /// The member `role`.
    public let role: OpenEnum<Role>
    /// The member `avatar_url`.
    public let avatarURL: URL?
    /// The member `is_active`.
    public let isActive: Bool
    /// The member `joined`.
    public let joined: Date
    /// The member `score`.
    public let score: Double
    /// The member `manager`.
    public let manager: Manager?

    /// Creates a value.
    public init(
        id: Int,
        name: String,
        email: String? = nil,
        role: OpenEnum<Role>,
        avatarURL: URL? = nil,
        isActive: Bool,
        joined: Date,
        score: Double,
        manager: Manager? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.avatarURL = avatarURL
        self.isActive = isActive
        self.joined = joined
        self.score = score
        self.manager = manager
    }

    /// The values in the samples. `OpenEnum` keeps unknown ones.
    public enum Role: String, Codable, Sendable {
        /// `admin`
        case admin
        /// `guest`
        case guest
    }

    /// A value of the member `manager`.
    public struct Manager: Encodable, Hashable, Sendable {
        /// The member `id`.
        public let id: Int
        /// The member `name`.
        public let name: String

        /// Creates a value.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case name
        case email
        case role
        case avatarURL = "avatar_url"
        case isActive = "is_active"
        case joined
        case score
        case manager
    }
}

extension User.Manager: JSONReadable {
    /// Reads the members.
    public init(json: inout JSONReader) throws { try self.init(id: json["id"], name: json["name"]) }
}

extension User: JSONReadable {
    /// Reads the members.
    public init(json: inout JSONReader) throws {
        try self.init(
            id: json["id"], name: json["name"], email: json["email"], role: json["role"], avatarURL: json.decodeIfPresent("avatar_url"),
            isActive: json["is_active"], joined: json.decode("joined"), score: json["score"], manager: json["manager"])
    }
}
