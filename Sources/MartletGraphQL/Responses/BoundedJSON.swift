internal import MartletSystem

/// Untyped JSON in a response, limited in depth and in number of values.
///
/// ``JSONBodyDecoder`` reads it in linear time. Other decoders do not reveal the kind of the next value, so each kind is tried in turn.
/// Each failure of Foundation's decoder costs the square of its depth: a kilobyte of brackets would take seconds.
struct BoundedJSON: Decodable {
    /// The maximum depth.
    static let levels = 32
    /// The maximum number of untyped values in one response. A value deep inside counts more than once: up to thirty times on the last
    /// level.
    static let values = 50_000

    let value: JSONValue

    @TaskLocal private static var budget: Budget?

    /// What remains of the limits for one response.
    private final class Budget: Sendable {
        private let state = Locked((level: 0, values: BoundedJSON.values))

        func enter() -> Bool {
            state.withLock { state in
                // Trying the kinds of a value costs the square of its depth.
                let cost = 1 + state.level * state.level / 32
                guard state.level < BoundedJSON.levels, state.values >= cost else { return false }
                state.level += 1
                state.values -= cost
                return true
            }
        }

        /// Spends the cost of everything inside a value. Returns whether the budget was enough.
        func covers(_ value: JSONValue) -> Bool {
            switch value {
            case .array(let elements): elements.allSatisfy(coversInner)
            case .object(let members): members.allSatisfy { coversInner($0.value) }
            default: true
            }
        }

        private func coversInner(_ value: JSONValue) -> Bool {
            guard enter() else { return false }
            defer { leave() }
            return covers(value)
        }

        func leave() { state.withLock { $0.level -= 1 } }
    }

    /// Decodes one response. All untyped values in it share one budget.
    static func withBudget<Value>(_ read: () throws -> Value) rethrows -> Value {
        if budget != nil { return try read() }
        return try $budget.withValue(Budget(), operation: read)
    }

    init(from decoder: any Decoder) throws {
        value = try BoundedJSON.withBudget { try BoundedJSON.read(decoder) }
    }

    private static func read(_ decoder: any Decoder) throws -> JSONValue {
        guard let budget, budget.enter() else { throw LimitExceededError() }
        defer { budget.leave() }
        let container = try decoder.singleValueContainer()
        if container is any JSONIndexedContainer {
            let value = try container.decode(JSONValue.self)
            guard budget.covers(value) else { throw LimitExceededError() }
            return value
        }
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        // Containers come before the remaining scalars because only containers can be deep.
        if var list = try? decoder.unkeyedContainer() {
            var elements = JSONArray()
            while !list.isAtEnd { elements.append(try list.decode(BoundedJSON.self).value) }
            return .array(elements)
        }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        return .object(JSONObject(try container.decode([String: BoundedJSON].self).mapValues(\.value)))
    }

    private struct LimitExceededError: Error {}
}
