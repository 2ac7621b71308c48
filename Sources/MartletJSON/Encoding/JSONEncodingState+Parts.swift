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

extension JSONEncodingState {
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
