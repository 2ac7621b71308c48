import Foundation
import MartletTesting
import Testing

/// What the generated tests do not check: that no member of a sample is lost, and that unknown values are kept.
@Suite("Generated models", .timeLimit(.minutes(5)))
struct CompleteDecodingTests {
    private func json(_ name: String) throws -> JSONValue {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Samples")
        return try JSONValue(parsing: Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Returns the value without members that are null, with dates in one form and UUIDs in one case.
    private func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): JSONValue(elements.map(plain))
        case .object(let members):
            .object(JSONObject(members.filter { $0.value != .null }.map { (key: $0.key, value: plain($0.value)) }))
        case .string(let text):
            if let date = try? JSONBodyDecoder.json.decode(Date.self, from: Data("\"\(text)\"".utf8)) {
                JSONValue(date.timeIntervalSince1970.rounded(.down))
            } else {
                UUID(uuidString: text).map { JSONValue($0.uuidString) } ?? value
            }
        default: value
        }
    }

    private func check<Value: Codable>(_ type: Value.Type, _ sample: String) throws {
        let value = try json(sample), decoded = try JSONBodyDecoder.json.decode(type, from: JSONBodyEncoder.json.encode(value))
        #expect(try plain(JSONValue(encoding: decoded)) == plain(value))
    }

    @Test("Encoding a decoded sample returns every member")
    func complete() throws {
        try check(ListOrders.Response.self, "orders.json")
        try check(CreateOrder.Response.self, "order.json")
        try check(CreateOrder.Body.self, "new-order.json")
        try check(User.self, "user.json")
        try check(User.self, "user-without-manager.json")
        try check(UpdateUser.Body.self, "user-changes.json")
    }

    @Test("A value that no sample had is kept")
    func unknown() throws {
        let json = try json("user.json").with("role", "owner")
        let user = try JSONBodyDecoder.json.decode(User.self, from: JSONBodyEncoder.json.encode(json))
        #expect(user.role == .unknown("owner"))
        #expect(try JSONValue(encoding: user)["role"] == "owner")
    }
}

extension JSONValue {
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        var members = objectValue ?? JSONObject()
        members[name] = value
        return .object(members)
    }
}
