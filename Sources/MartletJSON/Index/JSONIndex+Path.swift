extension JSONIndex {
    /// Returns the path of the place at which an indexer stopped, from the containers that were open.
    func path(ofOpen containers: [Int]) -> [any CodingKey] {
        var path: [any CodingKey] = []
        for (level, container) in containers.enumerated() {
            let inner = level + 1 < containers.count ? containers[level + 1] : count
            if let step = step(in: container, to: inner) { path.append(step) }
        }
        return path
    }

    /// Returns the key or index of a child, or of the missing child at the end of the index.
    private func step(in container: Int, to child: Int) -> JSONCodingKey? {
        var place = container + 1, ordinal = 0, name: Int?
        let isObject = entries[container].rawKind != JSONEntry.Kind.array.rawValue
        while place < child {
            if isObject {
                name = place
                guard place + 1 < child else { break }
                place += 1
            }
            place = next(after: place)
            ordinal += 1
        }
        return isObject ? name.map { JSONCodingKey(name: keyText(entries[$0])) } : JSONCodingKey(index: ordinal)
    }
}

/// Computes the coding paths of entries on request.
///
/// Computing the paths of entries in ascending order, and of their containers, takes linear time in total.
struct JSONPathFinder {
    private struct Step {
        let container: Int
        /// The entry of a child. Its key precedes it.
        var child: Int
        var ordinal: Int
    }

    private var steps: [Step] = []

    /// Calls a closure with each step from the root to a value: the container, the child's entry and its ordinal.
    mutating func path(
        to target: Int, in index: JSONIndex, key: (_ keyEntry: Int) -> JSONCodingKey
    ) -> [any CodingKey] {
        let known = steps.prefix { $0.container < target && target < index.entries[$0.container].next }.count
        // The steps to a container are kept for its next element.
        if known < steps.count, steps[known].container == target { return steps[..<known].map { codingKey($0, index, key) } }
        steps.removeLast(steps.count - known)
        if let last = steps.last, last.child > target { steps[steps.count - 1] = first(in: last.container, index) }
        if steps.isEmpty, target > 0 { steps.append(first(in: 0, index)) }
        while var step = steps.popLast() {
            let isObject = index.entries[step.container].rawKind != JSONEntry.Kind.array.rawValue
            while true {
                let after = index.next(after: step.child)
                guard after <= target else { break }
                step.child = isObject ? after + 1 : after
                step.ordinal += 1
            }
            steps.append(step)
            guard step.child < target else { break }
            steps.append(first(in: step.child, index))
        }
        return steps.map { codingKey($0, index, key) }
    }

    private func codingKey(_ step: Step, _ index: JSONIndex, _ key: (_ keyEntry: Int) -> JSONCodingKey) -> JSONCodingKey {
        index.entries[step.container].rawKind == JSONEntry.Kind.array.rawValue ? JSONCodingKey(index: step.ordinal) : key(step.child - 1)
    }

    private func first(in container: Int, _ index: JSONIndex) -> Step {
        let isArray = index.entries[container].rawKind == JSONEntry.Kind.array.rawValue
        return Step(container: container, child: container + (isArray ? 1 : 2), ordinal: 0)
    }
}
