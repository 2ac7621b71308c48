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

    /// Checks that no directive uses itself, directly, by other directives or by the types of its arguments (GraphQL, September 2025,
    /// §3.13).
    mutating func checkDirectiveCycles() {
        if definitions.uses.isEmpty { return }
        let inputs = definitions.types.filter(\.isInput), names = definitions.directives.map { "@" + $0.name } + inputs.map(\.name)
        let indices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var edges = (definitions.directives.map(\.arguments) + inputs.map(\.inputFields)).map { $0.compactMap { indices[$0.type.name] } }
        for use in definitions.uses where use.location != "SCHEMA" {
            let owner = String(use.owner.prefix { $0 != "." && $0 != "(" })
            if let user = indices[owner], let used = indices["@" + use.directive.name] { edges[user].append(used) }
        }
        let components = Self.components(edges)
        var seen: Set<Int> = []
        for (index, directive) in definitions.directives.enumerated() where !isFull && seen.insert(components[index]).inserted {
            guard let cycle = Self.cycle(from: index, edges, components) else { continue }
            report("the directive \"@\(directive.name)\" uses itself: \(Self.text(cycle.map { names[$0] }))", at: directive.place)
        }
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
    /// Returns a number for each node. Two nodes have the same if each leads to the other (Tarjan's algorithm).
    private static func components(_ edges: [[Int]]) -> [Int] {
        var components = edges.map { _ in -1 }, order = edges.map { _ in 0 }, lowest = order, count = 0, open: [Int] = []
        for start in edges.indices where order[start] == 0 {
            var path = [(node: start, next: 0)]
            while let (node, next) = path.last {
                if next == 0 {
                    count += 1
                    order[node] = count
                    lowest[node] = count
                    open.append(node)
                }
                guard next < edges[node].count else {
                    path.removeLast()
                    if let before = path.last?.node { lowest[before] = min(lowest[before], lowest[node]) }
                    if lowest[node] < order[node] { continue }
                    while let member = open.popLast() {
                        components[member] = node
                        if member == node { break }
                    }
                    continue
                }
                path[path.count - 1].next += 1
                let target = edges[node][next]
                if order[target] == 0 {
                    path.append((target, 0))
                } else if components[target] < 0 {
                    lowest[node] = min(lowest[node], order[target])
                }
            }
        }
        return components
    }

    /// Returns the nodes of a shortest way from a node back to it, or nil if there is none.
    private static func cycle(from start: Int, _ edges: [[Int]], _ components: [Int]) -> [Int]? {
        var before: [Int: Int] = [:], reached = [start], next = 0
        while next < reached.count {
            let node = reached[next]
            next += 1
            for target in edges[node] where components[target] == components[start] {
                if target == start {
                    var path = [node]
                    while let last = path.last, let node = before[last] { path.append(node) }
                    return path.reversed()
                }
                if before[target] == nil {
                    before[target] = node
                    reached.append(target)
                }
            }
        }
        return nil
    }
}
