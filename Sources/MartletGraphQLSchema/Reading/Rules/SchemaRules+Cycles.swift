internal import MartletGraphQL

extension SchemaRules {
    /// Checks that each input object has finite values (GraphQL, September 2025, §3.10): none requires itself, and no default value needs
    /// itself.
    mutating func checkInputCycles() {
        let inputs = definitions.types.filter { $0.kind == .inputObject }
        let indices = Dictionary(inputs.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let required = inputs.map { input in
            input.inputFields.compactMap { field -> (Int, InputValueDefinition)? in
                guard case .nonNull(.named(let name)) = field.type, let index = indices[name] else { return nil }
                return (index, field)
            }
        }
        for cycle in Self.cycles(required.map { $0.map(\.0) }) where !isFull {
            let path = cycle.map { inputs[$0.node].name + "." + required[$0.node][$0.edge].1.name }
            let first = cycle[0], field = required[first.node][first.edge].1
            report("\"\(inputs[first.node].name)\" requires itself, so that it has no finite value: \(Self.text(path))", at: field.place)
        }
        checkDefaultCycles(inputs, indices)
    }

    private mutating func checkDefaultCycles(_ inputs: [SchemaType], _ indices: [String: Int]) {
        var fields: [(type: String, field: InputValueDefinition)] = [], places: [String: Int] = [:]
        for input in inputs {
            for field in input.inputFields where field.defaultValue != nil {
                places["\(input.name).\(field.name)"] = fields.count
                fields.append((input.name, field))
            }
        }
        let needed = fields.map { _, field in
            field.defaultValue.map { fieldsOmitted(in: $0, of: field.type).compactMap { places[$0] } } ?? []
        }
        for cycle in Self.cycles(needed) where !isFull {
            let path = cycle.map { fields[$0.node].type + "." + fields[$0.node].field.name }
            report("the default value of \"\(path[0])\" needs itself: \(Self.text(path))", at: fields[cycle[0].node].field.place)
        }
    }

    /// Returns the coordinates of the fields that a value of input objects leaves to their default values.
    private func fieldsOmitted(in value: ValueLiteral, of type: TypeReference) -> [String] {
        var waiting = [(value, type.name)], omitted: [String] = []
        while let (value, name) = waiting.popLast() {
            switch value {
            case .list(let elements): waiting += elements.map { ($0, name) }
            case .object(let members):
                guard let input = types[name], input.kind == .inputObject else { continue }
                let given = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
                for field in input.inputFields {
                    if let value = given[field.name] {
                        waiting.append((value, field.type.name))
                    } else {
                        omitted.append("\(name).\(field.name)")
                    }
                }
            default: break
            }
        }
        return omitted
    }

    private static func text(_ path: [String]) -> String {
        let limit = 8, shown = path.count <= limit ? path : Array(path.prefix(limit)) + ["…"]
        return (shown + [path[0]]).joined(separator: " → ")
    }

    /// An edge of a graph, by the node where it begins and its index there.
    struct Step {
        let node: Int
        let edge: Int
    }

    /// Returns a cycle for each edge that closes one in a depth-first search, so that each part of the graph with cycles has at least one.
    static func cycles(_ edges: [[Int]]) -> [[Step]] {
        var cycles: [[Step]] = [], isDone = edges.map { _ in false }, depths: [Int?] = edges.map { _ in nil }
        for start in edges.indices where !isDone[start] {
            var path = [start], next = [0]
            depths[start] = 0
            while let node = path.last, let edge = next.last {
                guard edge < edges[node].count else {
                    isDone[node] = true
                    depths[node] = nil
                    path.removeLast()
                    next.removeLast()
                    continue
                }
                next[next.count - 1] += 1
                let target = edges[node][edge]
                if let depth = depths[target] {
                    cycles.append(zip(path[depth...], next[depth...]).map { Step(node: $0, edge: $1 - 1) })
                    // Long cycles could share most of their nodes, and each is copied.
                    if cycles.count >= 100 { return cycles }
                } else if !isDone[target] {
                    depths[target] = path.count
                    path.append(target)
                    next.append(0)
                }
            }
        }
        return cycles
    }
}
