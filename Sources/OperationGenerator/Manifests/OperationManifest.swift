internal import MartletGraphQL

/// The documents that a server must know, so that clients can send only their hashes.
struct OperationManifest {
    private let plan: OperationPlan
    /// The texts of the fragments by their names.
    private let texts: [String: DocumentText]

    init(_ plan: OperationPlan) {
        self.plan = plan
        texts = Dictionary(plan.fragments.map { ($0.definition.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the manifest in a form.
    func file(_ format: ManifestFormat) throws(OperationGeneratorError) -> GeneratedFile {
        var operations: [(operation: OperationPlan.Operation, text: String, hash: String)] = []
        for operation in plan.operations.sorted(by: { $0.name < $1.name }) {
            let document = try document(of: operation)
            operations.append((operation, document.text, document.sha256))
        }
        switch format {
        case .apollo:
            let entries = operations.map { operation, text, hash in
                """
                    {
                      "id": "\(hash)",
                      "name": "\(operation.key)",
                      "type": "\(operation.definition.kind.rawValue)",
                      "body": \(Self.quoted(text))
                    }
                """
            }
            let list = entries.isEmpty ? "[]" : "[\n\(entries.joined(separator: ",\n"))\n  ]"
            let text = "{\n  \"format\": \"apollo-persisted-query-manifest\",\n  \"version\": 1,\n  \"operations\": \(list)\n}\n"
            return GeneratedFile(name: "persisted-query-manifest.json", text: text)
        case .trustedDocuments:
            let entries = operations.map { "  \"sha256:\($0.hash)\": \(Self.quoted($0.text))" }
            let text = entries.isEmpty ? "{}\n" : "{\n\(entries.joined(separator: ",\n"))\n}\n"
            return GeneratedFile(name: "trusted-documents.json", text: text)
        }
    }

    /// Returns the document of the generated type, byte for byte.
    func document(of operation: OperationPlan.Operation) throws(OperationGeneratorError) -> GraphQLDocument {
        var known: [String: GraphQLFragment] = [:], waiting = operation.text.spreads
        // A fragment is made after the fragments that it spreads.
        while let name = waiting.last {
            guard known[name] == nil, let text = texts[name] else {
                waiting.removeLast()
                continue
            }
            let missing = text.spreads.filter { known[$0] == nil && texts[$0] != nil }
            if missing.isEmpty {
                known[name] = GraphQLFragment(stringInterpolation: try text.interpolation(known))
                waiting.removeLast()
            } else {
                waiting += missing
            }
        }
        return GraphQLDocument(stringInterpolation: try operation.text.interpolation(known))
    }

    /// Returns a JSON string.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).description }
}
