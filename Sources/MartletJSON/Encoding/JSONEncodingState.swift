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
    /// Whether the top-level value must encode something.
    var needsRoot = false

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
        if top.pointee.kind == .undecided, output.frameCount == 2, needsRoot { throw EmptyRoot() }
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

    /// Writes a finite or non-conforming number at the current position.
    @inline(__always)
    func writeDouble(_ value: Double) throws {
        if value.isFinite { output.putDouble(value) } else { output.putString(try nonConforming(value) { self.openPath() }) }
    }

    @inline(__always)
    func writeFloat(_ value: Float) throws {
        if value.isFinite { output.putFloat(value) } else { output.putString(try nonConforming(value) { self.openPath() }) }
    }

    /// Returns the string for an infinite number or NaN.
    ///
    /// - Throws: `EncodingError.invalidValue` unless the strategy converts such numbers to strings.
    @inline(never)
    func nonConforming<Number: BinaryFloatingPoint>(_ value: Number, path: () -> [any CodingKey]) throws -> String {
        switch context.settings.nonConformingFloatEncodingStrategy {
        case .throw: throw invalid(value, path(), "\(Number.self) \(value) is not a JSON number.")
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            if value.isNaN { return nan }
            return value.sign == .minus ? negativeInfinity : positiveInfinity
        }
    }

    /// Set on the serial number of a container that was refused.
    static let refused: UInt64 = 1 << 63

    // MARK: Paths

    /// Returns the path of the value that owns the frame, or of the whole state if the frame is closed.
    func codingPath(of serial: UInt64) -> [any CodingKey] {
        guard let index = frameIndex(of: serial & ~Self.refused) else { return pathPrefix }
        return framePath(index)
    }

    /// Returns the path of the value that owns the frame at `index`.
    func framePath(_ index: Int) -> [any CodingKey] {
        var path = pathPrefix
        for frame in UnsafeBufferPointer(start: output.frames, count: index) { appendChildKey(of: frame, to: &path) }
        return path
    }

    /// Returns the path of the value being encoded.
    func openPath() -> [any CodingKey] { framePath(output.frameCount) }

    func frameIndex(of serial: UInt64) -> Int? {
        (1..<output.frameCount).last { output.frames[$0].serial == serial }
    }

    private func appendChildKey(of frame: JSONFrame, to path: inout [any CodingKey]) {
        switch frame.kind {
        case .array: path.append(JSONCodingKey(index: max(frame.count - 1, 0)))
        case .object:
            if let pointer = frame.childKey, let type = frame.childKeyType { path.append(loadKey(type, pointer)) }
        case .scalar, .undecided: break
        }
    }

    private func loadKey<Key: CodingKey>(_: Key.Type, _ pointer: UnsafeRawPointer) -> any CodingKey {
        pointer.assumingMemoryBound(to: Key.self).pointee
    }

    // MARK: Errors

    /// Returns the error for a container or encoder that must not be written to.
    @inline(never)
    func refusal(_ serial: UInt64, value: Any, path: [any CodingKey]) -> EncodingError {
        guard let index = frameIndex(of: serial & ~Self.refused) else {
            return invalid(value, path, "The container was used after its value was encoded.")
        }
        let flags = output.frames[index].flags
        if flags.contains(.tooDeep) { return output.depthError(codingPath: path) }
        if flags.contains(.mixed) || serial & Self.refused != 0 { return mixedError(codingPath: path, value: value) }
        return invalid(value, path, "The container was used while one of its values was being encoded.")
    }

    func mixedError(codingPath: [any CodingKey], value: Any = ()) -> EncodingError {
        invalid(value, codingPath, "Containers of different kinds, or several single values, were encoded for one value.")
    }

    /// Thrown if the top-level value encodes nothing. The encoder, which has the value, throws an `EncodingError` instead.
    struct EmptyRoot: Error {}

    func invalid(_ value: Any, _ path: [any CodingKey], _ text: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: text))
    }

    // MARK: Opening

    /// Opens a part as a member of the innermost object.
    ///
    /// A nested container that was opened before under the same key is continued.
    ///
    /// - Returns: `nil` if a container of another kind was opened under the key. The object fails when it ends.
    func openPart(key: some CodingKey, kind: JSONFrame.Kind) -> JSONEncodingState? {
        let serial = output.current
        let path = framePath(output.frameCount - 1)
        let text = context.convert(key) { path }
        let place = JSONPart.Place(serial: serial, key: text)
        if kind != .undecided, let known = partsByKey[place], known.kind != .undecided {
            guard known.kind == kind else {
                output.top.pointee.flags.insert(.mixed)
                return nil
            }
            return known.state
        }
        output.memberKey(text)
        let part = addPart(place: place, path: path + [key], kind: kind)
        partsByKey[place] = part
        return part.state
    }

    /// Opens a part as an element of the innermost array.
    func openPart(kind: JSONFrame.Kind) -> JSONEncodingState {
        let path = framePath(output.frameCount - 1) + [JSONCodingKey(index: output.top.pointee.count)]
        output.beginElement()
        return addPart(place: JSONPart.Place(serial: output.current, key: ""), path: path, kind: kind).state
    }

    private func addPart(place: JSONPart.Place, path: [any CodingKey], kind: JSONFrame.Kind) -> JSONPart {
        let state = JSONEncodingState(context: context, pathPrefix: path, baseDepth: output.top.pointee.depth)
        _ = state.output.pushFrame()
        if kind == .object { state.output.openObject() }
        if kind == .array { state.output.openArray() }
        if state.output.top.pointee.flags.contains(.tooDeep) { output.top.pointee.flags.insert(.tooDeep) }
        let part = JSONPart(place: place, offset: output.count, state: state, kind: kind)
        parts.append(part)
        output.top.pointee.flags.insert(.parts)
        return part
    }

    /// The serial number for the container of a part. A flag marks a part that is nested too deeply.
    var rootSerial: UInt64 {
        let root = output.frames[min(1, output.frameCount - 1)]
        return root.flags.contains(.tooDeep) ? root.serial | Self.refused : root.serial
    }

    // MARK: Closing

    /// Inserts the parts of the innermost frame.
    func spliceParts() throws {
        let serial = output.current
        // The parts of the innermost frame are the last ones.
        var first = parts.count
        while first > 0, parts[first - 1].place.serial == serial { first -= 1 }
        guard first < parts.count else { return }
        let closing = parts[first...]
        for part in closing { try part.state.finishPart() }
        moveMembers(after: closing)
        let start = closing[first].offset
        let length = output.count - start
        withUnsafeTemporaryAllocation(byteCount: max(length, 1), alignment: 16) { scratch in
            guard let old = scratch.baseAddress else { return }
            old.copyMemory(from: output.base + start, byteCount: length)
            output.count = start
            var copied = 0
            for part in closing {
                output.put(UnsafeRawBufferPointer(start: old + copied, count: part.offset - start - copied))
                output.put(UnsafeRawBufferPointer(start: part.state.output.base, count: part.state.output.count))
                copied = part.offset - start
            }
            output.put(UnsafeRawBufferPointer(start: old + copied, count: length - copied))
        }
        for part in closing { partsByKey[part.place] = nil }
        parts.removeSubrange(first...)
    }

    /// Closes the open values and ends the use of the part's containers.
    private func finishPart() throws {
        while output.frameCount > 1 { try closeFrame() }
    }

    /// Adds the lengths of the parts to the positions in the log.
    private func moveMembers(after closing: ArraySlice<JSONPart>) {
        guard output.top.pointee.kind == .object else { return }
        output.log[output.logCount - 1].valueEnd = output.count
        var waiting = closing
        var shift = 0
        for index in output.top.pointee.logStart..<output.logCount {
            output.log[index].keyStart += shift
            // A member has at most one part, which begins where the value would be.
            while let part = waiting.first, part.offset <= output.log[index].valueEnd {
                shift += part.state.output.count
                waiting.removeFirst()
            }
            output.log[index].valueEnd += shift
        }
    }
}

/// A nested container or super encoder. Its bytes are inserted when the frame that it belongs to ends.
final class JSONPart {
    /// The key by which a part is found when it is requested again.
    struct Place: Hashable {
        let serial: UInt64
        let key: String
    }

    let place: Place
    /// The offset in the buffer of the enclosing state.
    let offset: Int
    let state: JSONEncodingState
    /// `undecided` for a super encoder.
    let kind: JSONFrame.Kind

    init(place: Place, offset: Int, state: JSONEncodingState, kind: JSONFrame.Kind) {
        self.place = place
        self.offset = offset
        self.state = state
        self.kind = kind
    }
}
