/// The output of one encoding, or of one nested container, and the operations that need user code.
final class JSONEncodingState {
    // The encoder is the only code that accesses the output, and never while one of its methods runs.
    @exclusivity(unchecked) var output: JSONOutput
    let context: JSONEncodingContext
    /// The coding path of the place where this state's bytes are inserted.
    let pathPrefix: [any CodingKey]
    /// The nested containers and super encoders of all open frames, ordered from the outermost frame to the innermost.
    var parts: [JSONPart] = []
    var partsByKey: [JSONPart.Place: JSONPart] = [:]
    /// The type of the top-level value, if it must encode something.
    var rootType: (any Any.Type)?

    init(context: JSONEncodingContext, pathPrefix: [any CodingKey] = [], baseDepth: Int = 0) {
        self.context = context
        self.pathPrefix = pathPrefix
        output = JSONOutput(options: context.options, baseDepth: baseDepth, isSmall: !pathPrefix.isEmpty)
    }

    // MARK: Values

    /// Writes a value at the current position.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value) throws {
        if let direct = context.route(for: Value.self) {
            try withUnsafePointer(to: value) { try direct.write(at: UnsafeRawPointer($0), to: self) }
        } else {
            try writeFrame(value)
        }
    }

    /// Writes a value that encodes itself.
    @inline(__always)
    func writeFrame<Value: Encodable>(_ value: Value) throws {
        try pushFrame()
        try value.encode(to: JSONValueEncoder(state: self, serial: output.current))
        try closeFrame()
    }

    /// Writes the value that `encode` encodes.
    func writeFrame(_ encode: (any Encoder) throws -> Void) throws {
        try pushFrame()
        try encode(JSONValueEncoder(state: self, serial: output.current))
        try closeFrame()
    }

    // MARK: Frames

    @inline(__always)
    func pushFrame() throws {
        if !output.pushFrame() { throw output.depthError(codingPath: openPath()) }
    }

    /// Ends the innermost frame.
    @inline(__always)
    func closeFrame() throws {
        let top = output.top
        if !top.pointee.flags.isDisjoint(with: .attention) { try settleFrame() }
        if top.pointee.kind == .undecided, output.frameCount == 2, let rootType { throw emptyRootError(rootType) }
        output.popFrame()
    }

    /// Reports errors of the innermost frame, and inserts its parts.
    @inline(never)
    private func settleFrame() throws {
        let flags = output.top.pointee.flags
        if flags.contains(.tooDeep) { throw output.depthError(codingPath: framePath(output.frameCount - 1)) }
        if flags.contains(.mixed) { throw mixedError(codingPath: framePath(output.frameCount - 1)) }
        try spliceParts()
    }

    /// Drops all open frames, so that no container can write any longer.
    func closeAll() {
        while output.frameCount > 1 { output.dropFrame() }
        for part in parts { part.state.closeAll() }
        parts = []
        partsByKey = [:]
    }

    // MARK: Undoing

    /// A position to return to when a value throws.
    struct Mark {
        let frameCount: Int
        let count: Int
        let memberCount: Int
        let logCount: Int
        let kind: JSONFrame.Kind
    }

    @inline(__always)
    var mark: Mark {
        Mark(
            frameCount: output.frameCount, count: output.count, memberCount: output.top.pointee.count, logCount: output.logCount,
            kind: output.top.pointee.kind)
    }

    /// Removes everything written since `mark`, so that the container stays usable.
    @inline(never)
    func undo(to mark: Mark) {
        while output.frameCount > mark.frameCount { output.dropFrame() }
        output.count = mark.count
        output.logCount = mark.logCount
        output.top.pointee.count = mark.memberCount
        output.top.pointee.kind = mark.kind
        output.top.pointee.childKey = nil
        guard !parts.isEmpty else { return }
        let serial = output.current
        while let part = parts.last, part.place.serial > serial || (part.place.serial == serial && part.offset > mark.count) {
            part.state.closeAll()
            parts.removeLast()
            if partsByKey[part.place] === part { partsByKey[part.place] = nil }
        }
    }
}
