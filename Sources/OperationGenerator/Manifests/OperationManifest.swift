internal import MartletGraphQL

/// The documents that a server must know, so that clients can send only their hashes.
struct OperationManifest {
    private let plan: OperationPlan
    /// The texts of the fragments by their names.
    private let texts: [String: DocumentText?]

    init(_ plan: OperationPlan) {
        self.plan = plan
        texts = Dictionary(plan.fragments.map { ($0.definition.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the manifest in a form.
    func file(_ format: ManifestFormat) -> GeneratedFile {
        let operations = plan.operations.sorted { $0.name < $1.name }.map { operation in
            let document = document(of: operation)
            return (operation: operation, text: document.text, hash: document.sha256)
        }
        switch format {
        case .apollo:
            let entries = operations.map { operation, text, hash in
                """
                    {
                      "id": "\(hash)",
                      "name": "\(operation.definition.name ?? "")",
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
    func document(of operation: OperationPlan.Operation) -> GraphQLDocument {
        var known: [String: GraphQLFragment] = [:], waiting = operation.text?.spreads ?? []
        // A fragment is made after the fragments that it spreads.
        while let name = waiting.last {
            guard known[name] == nil, let text = texts[name] ?? nil else {
                waiting.removeLast()
                continue
            }
            let missing = text.spreads.filter { known[$0] == nil && texts[$0] != nil }
            if missing.isEmpty {
                known[name] = GraphQLFragment(stringInterpolation: text.interpolation(known))
                waiting.removeLast()
            } else {
                waiting += missing
            }
        }
        return GraphQLDocument(
            stringInterpolation: operation.text?.interpolation(known) ?? GraphQLInterpolation(literalCapacity: 0, interpolationCount: 0))
    }

    /// Returns a JSON string.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).description }
}
