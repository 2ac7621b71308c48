internal import MartletGraphQL

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a mock GraphQL client answers to some operations.
struct OperationStub: Sendable {
    /// An answer whose type is no longer known.
    enum Answer: Sendable {
        /// A `GraphQLResult`.
        case result(any Sendable)
        case failure(GraphQLError)
        case response(HTTPResponse<Data>)
    }

    typealias Script = AnswerScript<AnyGraphQLOperation, Answer>

    let id = Identity()
    let name: String
    /// Two stubs of one key, and without conditions, are one: the later.
    let key: String?
    let fits: @Sendable (AnyGraphQLOperation) -> Bool
    var script: Script

    /// Which stub it is.
    final class Identity: Sendable, Equatable {
        static func == (one: Identity, other: Identity) -> Bool { one === other }
    }

    /// For operations of a type.
    init<Operation: GraphQLOperationDefinition>(
        _ type: Operation.Type, _ condition: (@Sendable (Operation) -> Bool)?, _ script: Script
    ) {
        name = "\(type)" + (condition == nil ? "" : " where a condition holds")
        key = condition == nil ? "type \(ObjectIdentifier(type))" : nil
        fits = { operation in
            (operation.variablesValue as? Operation).map { condition?($0) ?? true } ?? false
        }
        self.script = script
    }

    /// For operations of a name.
    init(named operationName: String, _ script: Script) {
        name = operationName
        key = "name \(operationName)"
        fits = { $0.operationName == operationName }
        self.script = script
    }

    /// What no call has asked for; nil when all was.
    var unused: String? { script.unused(name) }
}

extension OperationStub.Answer {
    init<Value>(_ answer: StubbedGraphQLAnswer<Value>) {
        switch answer.kind {
        case .result(let result): self = .result(result)
        case .failure(let error): self = .failure(error)
        case .response(let response): self = .response(response)
        }
    }
}
