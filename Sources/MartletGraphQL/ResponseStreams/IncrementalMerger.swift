/// Merges the payloads of a response with `@defer` or `@stream`. Payloads of all formats are supported, also mixed.
///
/// A pure value: it takes payloads and holds the data so far. Input from the server can make it throw, but cannot trap or exceed its
/// limits. After an error it must not be used.
struct IncrementalMerger: Sendable {
    /// The data so far. Nil if it is missing or null.
    private(set) var data: JSONValue?
    /// All errors so far, including those of deferred parts.
    private(set) var errors: [GraphQLResponseError] = []
    /// The extensions so far. A later member replaces an earlier one with the same name.
    private(set) var extensions: [String: JSONValue] = [:]
    /// Whether more payloads follow.
    private(set) var hasNext = true
    /// The number of announced results that are not complete.
    var pendingCount: Int { pending.count }

    private let limits: IncrementalLimits
    private var pending: [String: [GraphQLResponseError.PathSegment]] = [:]
    private var hasBegun = false
    private var valueCount = 0

    init(limits: IncrementalLimits = IncrementalLimits()) { self.limits = limits }

    /// Merges the next payload. Throws `.invalidResponse` if it does not match the earlier ones, or exceeds a limit.
    ///
    /// - Returns: Whether anything changed. A payload may only say that more follows.
    @discardableResult
    mutating func merge(_ tree: JSONValue) throws(HTTPError) -> Bool {
        guard hasNext else { throw IncrementalPayload.malformed("follows the last payload") }
        valueCount += tree.valueCount
        guard valueCount <= limits.tree.maxValues else {
            throw IncrementalPayload.malformed("brings the number of values above \(limits.tree.maxValues)")
        }
        let payload = try IncrementalPayload(tree)
        let isFirst = !hasBegun
        hasBegun = true
        if isFirst {
            data = payload.data
        } else if payload.data != nil {
            throw IncrementalPayload.malformed("has initial data, which an earlier payload had too")
        }
        for item in payload.pending { try announce(item) }
        for patch in payload.patches { try apply(patch) }
        for id in payload.completed {
            guard pending.removeValue(forKey: id) != nil else {
                throw IncrementalPayload.malformed("completes an ID that was not announced")
            }
        }
        errors += payload.errors
        guard errors.count <= limits.errors else {
            throw IncrementalPayload.malformed("brings the number of errors above \(limits.errors)")
        }
        extensions.merge(payload.extensions) { $1 }
        hasNext = payload.hasNext ?? !pending.isEmpty
        return isFirst || !payload.patches.isEmpty || !payload.errors.isEmpty || !hasNext
    }

    private mutating func announce(_ item: IncrementalPayload.Pending) throws(HTTPError) {
        // The path is checked when its patch is applied: the object may be part of the same payload, after this announcement.
        try check(item.path.count)
        guard pending.updateValue(item.path, forKey: item.id) == nil else {
            throw IncrementalPayload.malformed("announces an ID twice")
        }
        guard pending.count <= limits.pending else { throw IncrementalPayload.malformed("announces more than \(limits.pending) results") }
    }

    private mutating func apply(_ patch: IncrementalPayload.Patch) throws(HTTPError) {
        let path: [GraphQLResponseError.PathSegment]
        var index: Int?
        switch patch.place {
        case .pending(let id, let subPath):
            guard let announced = pending[id] else { throw IncrementalPayload.malformed("has data for an ID that was not announced") }
            path = announced + subPath
        case .path(let whole):
            // In the older formats, the path of list items ends with the index of the first one.
            index = if case .index(let last)? = whole.last { last } else { nil }
            path = whole
        }
        try check(path.count)
        do throws(PatchFailure) { try apply(patch.content, at: path, index) } catch {
            throw IncrementalPayload.malformed("has a patch that " + error.reason)
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
            throw IncrementalPayload.malformed("has a path of more than \(limits.tree.maxDepth) segments")
        }
    }
}

/// The limits for a response that arrives in parts.
struct IncrementalLimits: Sendable, Hashable {
    /// The depth of each payload and each path, and the number of values in all payloads together.
    var tree: JSONLimits
    /// The maximum number of announced results that are not complete.
    var pending: Int
    /// The maximum number of errors in all payloads together.
    var errors: Int

    /// Creates limits. Each has a default.
    init(tree: JSONLimits = .payload, pending: Int = 10_000, errors: Int = 10_000) {
        self.tree = tree
        self.pending = pending
        self.errors = errors
    }
}
