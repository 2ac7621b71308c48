internal import MartletEssentials

/// The scripted responses of a mock client to some calls.
struct ClientStub<Call: Sendable, Failure: Error>: Sendable {
    /// A response whose type is erased.
    enum Answer: Sendable {
        case value(any Sendable)
        case failure(Failure)
        case response(HTTPResponse<Data>)
    }

    typealias Script = ResponseScript<Call, Answer>

    /// Identifies the stub among others.
    final class Identity: Sendable {}

    let id = Identity()
    let name: String
    /// A stub replaces an earlier one with the same key. Nil for a stub with a condition.
    let key: String?
    let fits: @Sendable (Call) -> Bool
    var script: Script

    /// Creates a stub for the calls that have a value of a type. `value` returns it, or nil.
    init<Value>(
        _ type: Value.Type, _ condition: (@Sendable (Value) -> Bool)?, _ script: Script, value: @escaping @Sendable (Call) -> Value?
    ) {
        name = "\(type)" + (condition == nil ? "" : " where a condition holds")
        key = condition == nil ? "type \(ObjectIdentifier(type))" : nil
        fits = { call in value(call).map { condition?($0) ?? true } ?? false }
        self.script = script
    }

    /// Creates a stub for the calls with a name. `nameOf` returns the name of a call.
    init(named name: String, _ script: Script, nameOf: @escaping @Sendable (Call) -> String?) {
        self.name = name
        key = "name \(name)"
        fits = { nameOf($0) == name }
        self.script = script
    }
}

/// The stubs of a mock client, and the result of calls without one.
struct ClientStubs<Call: Sendable, Failure: Error>: Sendable {
    typealias Stub = ClientStub<Call, Failure>

    var result: Result<Data, Failure>?
    /// The stubs in the order of their creation.
    private(set) var stubs: [Stub] = []

    mutating func add(_ stub: Stub) {
        if let key = stub.key { stubs.removeAll { $0.key == key } }
        stubs.append(stub)
    }

    /// Takes responses of a stub, which count as used. A stub that was replaced meanwhile is still used.
    mutating func take<Taken>(from stub: Stub, _ take: (inout Stub.Script) -> Taken) -> Taken {
        if let place = stubs.firstIndex(where: { $0.id === stub.id }) { return take(&stubs[place].script) }
        var script = stub.script
        return take(&script)
    }

    /// The unused stubs and responses, in words.
    var unused: [String] { stubs.compactMap { $0.script.unused($0.name) } }

    /// The names of the stubs, in words.
    var names: String { stubs.isEmpty ? "nothing" : stubs.map(\.name).joined(separator: ", ") }
}
