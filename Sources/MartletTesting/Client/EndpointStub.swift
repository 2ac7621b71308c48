#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a mock client answers to the calls of one type of endpoint.
struct EndpointStub: Sendable {
    /// An answer whose type is no longer known.
    enum Answer: Sendable {
        case value(any Sendable)
        case failure(HTTPError)
        case response(HTTPResponse<Data>)
    }

    typealias Script = AnswerScript<any Endpoint, Answer>

    let id = Identity()
    let type: ObjectIdentifier
    let name: String
    private let condition: (@Sendable (any Endpoint) -> Bool)?
    private var script: Script

    /// Which stub it is.
    final class Identity: Sendable, Equatable {
        static func == (one: Identity, other: Identity) -> Bool { one === other }
    }

    /// One that gives the answers in order, and the last one for as long as it is asked.
    init<E: Endpoint>(_ type: E.Type, _ condition: (@Sendable (E) -> Bool)?, _ answers: [StubbedAnswer<E.Response>]) {
        self.init(type, condition, Script(answers.map { (Answer($0), $0.delay) }))
    }

    private init<E: Endpoint>(_ type: E.Type, _ condition: (@Sendable (E) -> Bool)?, _ script: Script) {
        self.type = ObjectIdentifier(type)
        name = "\(type)" + (condition == nil ? "" : " where a condition holds")
        if let condition {
            self.condition = { endpoint in (endpoint as? E).map { condition($0) } ?? false }
        } else {
            self.condition = nil
        }
        self.script = script
    }

    /// Whether it answers only some endpoints of its type.
    var isConditional: Bool { condition != nil }

    /// Which of several stubs answers an endpoint: the latest whose condition holds, or else the one without a condition.
    static func first<E: Endpoint>(of stubs: [EndpointStub], for endpoint: E) -> EndpointStub? {
        let fitting = stubs.filter { $0.type == ObjectIdentifier(E.self) }
        return fitting.last { $0.condition?(endpoint) ?? false } ?? fitting.last { !$0.isConditional }
    }

    /// One that asks `handler`.
    init<E: Endpoint>(
        _ type: E.Type, _ condition: (@Sendable (E) -> Bool)?, _ handler: @escaping @Sendable (E) async -> Result<E.Response, HTTPError>
    ) {
        let script = Script { endpoint in
            // Stubs are found by the type of the endpoint.
            guard let endpoint = endpoint as? E else {
                return .failure(.invalidRequest("a stub for \(E.self) was asked for another endpoint"))
            }
            switch await handler(endpoint) {
            case .success(let value): return .value(value)
            case .failure(let error): return .failure(error)
            }
        }
        self.init(type, condition, script)
    }

    /// The next answer, which counts as used: what to wait first, and what to ask then.
    mutating func next() -> (delay: Duration, answer: Script.Handler) { script.next() }

    /// What no call has asked for; nil when all was.
    var unused: String? { script.unused(name) }
}

extension EndpointStub.Answer {
    fileprivate init<Response>(_ answer: StubbedAnswer<Response>) {
        switch answer.kind {
        case .value(let value): self = .value(value)
        case .failure(let error): self = .failure(error)
        case .response(let response): self = .response(response)
        }
    }
}
