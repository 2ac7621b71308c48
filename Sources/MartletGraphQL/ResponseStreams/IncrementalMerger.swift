/// Puts the payloads of an answer with `@defer` or `@stream` together, whichever format they have, also one after the other.
///
/// A pure value: payloads in, the data so far out. What a server sends can make it throw, and neither trap nor take more than its limits.
/// After an error it is of no use.
package struct IncrementalMerger: Sendable {
    /// The data so far; nil when there is none, or null.
    package private(set) var data: JSONValue?
    /// All errors so far: those of what was deferred too.
    package private(set) var errors: [GraphQLResponseError] = []
    /// What the server said besides; of a member that came twice the last.
    package private(set) var extensions: [String: JSONValue] = [:]
    /// Whether there is more to come.
    package private(set) var hasNext = true
    /// What was announced and is not complete.
    package var pendingCount: Int { pending.count }

    private let limits: IncrementalLimits
    private var pending: [String: [GraphQLResponseError.PathSegment]] = [:]
    private var hasBegun = false
    private var valueCount = 0

    package init(limits: IncrementalLimits = IncrementalLimits()) { self.limits = limits }

    /// Takes in the next payload. Throws `.invalidResponse` when it does not fit what came before, or passes a limit.
    ///
    /// - Returns: whether anything has changed: not by a payload that only says that there is more.
    @discardableResult
    package mutating func merge(_ tree: JSONValue) throws(HTTPError) -> Bool {
        guard hasNext else { throw IncrementalPayload.malformed("comes after the last") }
        valueCount += tree.valueCount
        guard valueCount <= limits.tree.maxValues else {
            throw IncrementalPayload.malformed("has more values than \(limits.tree.maxValues)")
        }
        let payload = try IncrementalPayload(tree)
        let isFirst = !hasBegun
        hasBegun = true
        if isFirst {
            data = payload.data
        } else if payload.data != nil {
            throw IncrementalPayload.malformed("has data from the beginning, and that had come")
        }
        for item in payload.pending { try announce(item) }
        for patch in payload.patches { try apply(patch) }
        for id in payload.completed {
            guard pending.removeValue(forKey: id) != nil else { throw IncrementalPayload.malformed("completes what was not announced") }
        }
        errors += payload.errors
        guard errors.count <= limits.errors else { throw IncrementalPayload.malformed("has the last of more errors than \(limits.errors)") }
        extensions.merge(payload.extensions) { $1 }
        hasNext = payload.hasNext ?? !pending.isEmpty
        return isFirst || !payload.patches.isEmpty || !payload.errors.isEmpty || !hasNext
    }

    private mutating func announce(_ item: IncrementalPayload.Pending) throws(HTTPError) {
        // Whether the path leads anywhere shows when something comes for it: the object may come in the same payload, after this.
        try check(item.path.count)
        guard pending.updateValue(item.path, forKey: item.id) == nil else {
            throw IncrementalPayload.malformed("announces the same twice")
        }
        guard pending.count <= limits.pending else { throw IncrementalPayload.malformed("announces more than \(limits.pending)") }
    }

    private mutating func apply(_ patch: IncrementalPayload.Patch) throws(HTTPError) {
        let path: [GraphQLResponseError.PathSegment]
        var index: Int?
        switch patch.place {
        case .pending(let id, let subPath):
            guard let announced = pending[id] else { throw IncrementalPayload.malformed("has something for what was not announced") }
            path = announced + subPath
        case .path(let whole):
            // In the older formats the path of items, and of an element, ends with the index of the first.
            index = if case .index(let last)? = whole.last { last } else { nil }
            path = whole
        }
        try check(path.count)
        do throws(PatchFailure) { try apply(patch.content, at: path, index) } catch {
            throw IncrementalPayload.malformed("has something whose path " + error.reason)
        }
    }

    private mutating func apply(
        _ content: IncrementalPayload.Patch.Content, at path: [GraphQLResponseError.PathSegment], _ index: Int?
    ) throws(PatchFailure) {
        switch (content, index) {
        case (.none, _), (.items(nil), _): return
        case (.items(let items?), let index?):
            try change(at: path.dropLast()) { list throws(PatchFailure) in try list.add(items: items, at: index) }
        case (.items(let items?), nil): try change(at: path[...]) { list throws(PatchFailure) in try list.add(items: items) }
        case (.data(let value), let index?):
            try change(at: path.dropLast()) { list throws(PatchFailure) in try list.add(items: [value], at: index) }
        case (.data(let value), nil): try change(at: path[...]) { object throws(PatchFailure) in try object.add(data: value) }
        }
    }

    private mutating func change(
        at path: ArraySlice<GraphQLResponseError.PathSegment>, _ change: (inout JSONValue) throws(PatchFailure) -> Void
    ) throws(PatchFailure) {
        guard var tree = data.take() else { throw PatchFailure(reason: "leads into data that is null") }
        defer { data = tree }
        try tree.change(at: path, change)
    }

    private func check(_ length: Int) throws(HTTPError) {
        guard length <= limits.tree.maxDepth else {
            throw IncrementalPayload.malformed("has a path of more than \(limits.tree.maxDepth) steps")
        }
    }
}

/// What an answer that comes in pieces may have.
package struct IncrementalLimits: Sendable, Hashable {
    /// How deep each payload and each path may be, and how many values the payloads may have in all.
    package var tree: JSONLimits
    /// How much may be announced and not complete.
    package var pending: Int
    /// How many errors there may be in all.
    package var errors: Int

    /// The limits, each with its default.
    package init(tree: JSONLimits = .payload, pending: Int = 10_000, errors: Int = 10_000) {
        self.tree = tree
        self.pending = pending
        self.errors = errors
    }
}
