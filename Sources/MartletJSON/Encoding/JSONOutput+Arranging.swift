extension JSONOutput {
    /// The number of members up to which simple quadratic algorithms are used.
    private static let smallCount = 24

    /// Sorts the members of the innermost object and removes duplicates.
    ///
    /// Of two members with the same key, the last value counts, at the place of the first.
    @inline(never)
    mutating func arrangeMembers() {
        let members = UnsafeMutableBufferPointer(start: log + top.pointee.logStart, count: top.pointee.count)
        let bodyStart = members[0].keyStart
        let isSorted = options.isSorted || top.pointee.flags.contains(.dictionary)
        let remaining: Int
        if isSorted {
            guard sort(members) else { return }
            remaining = removeNeighbours(members)
        } else {
            remaining = mergeDuplicates(members)
            if remaining == members.count { return }
        }
        rewrite(members.prefix(remaining), bodyStart: bodyStart)
    }

    /// Sorts the pairs of the innermost array of alternating keys and values by the bytes of the keys.
    @inline(never)
    mutating func arrangePairs() {
        logElementEnd()
        let pairCount = logCount - top.pointee.logStart
        guard top.pointee.count == pairCount * 2 else { return }
        let pairs = UnsafeMutableBufferPointer(start: log + top.pointee.logStart, count: pairCount)
        let bodyStart = pairs[0].keyStart
        if sort(pairs) { rewrite(pairs[...], bodyStart: bodyStart) }
    }

    /// Copies the members to their new places.
    private mutating func rewrite(_ members: Slice<UnsafeMutableBufferPointer<JSONMember>>, bodyStart: Int) {
        let length = count - bodyStart
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 16) { scratch in
            guard let old = scratch.baseAddress else { return }
            old.copyMemory(from: base + bodyStart, byteCount: length)
            count = bodyStart
            for (index, member) in members.enumerated() {
                if index > 0 {
                    put(0x2C)
                    if options.isPretty { putNewline(depth: top.pointee.depth) }
                }
                put(UnsafeRawBufferPointer(start: old + (member.keyStart - bodyStart), count: member.valueEnd - member.keyStart))
            }
        }
    }

    // MARK: Order

    /// Sorts members by key, and equal keys by position.
    ///
    /// - Returns: `false` if the members were in order and had no duplicates.
    private func sort(_ members: UnsafeMutableBufferPointer<JSONMember>) -> Bool {
        guard members.count <= Self.smallCount else {
            let base = base
            let isOrdered = members.indices.dropFirst().allSatisfy {
                Self.compare(members[$0 - 1], members[$0], base) < 0 && !Self.hasSameKey(members[$0 - 1], members[$0], base)
            }
            if isOrdered { return false }
            var sorting = members
            sorting.sort { Self.compare($0, $1, base) < 0 }
            return true
        }
        var isChanged = false
        for index in 1..<max(members.count, 1) {
            let member = members[index]
            var place = index
            while place > 0 {
                let order = Self.compare(members[place &- 1], member, base)
                if order <= 0 { break }
                members[place] = members[place &- 1]
                place &-= 1
            }
            members[place] = member
            if place != index { isChanged = true }
            if place > 0, Self.hasSameKey(members[place &- 1], member, base) { isChanged = true }
        }
        return isChanged
    }

    /// Keeps the last of equal neighbours and returns the number of members left.
    private func removeNeighbours(_ members: UnsafeMutableBufferPointer<JSONMember>) -> Int {
        guard var kept = members.isEmpty ? nil : 0 else { return 0 }
        for index in 1..<max(members.count, 1) {
            if !Self.hasSameKey(members[kept], members[index], base) { kept += 1 }
            members[kept] = members[index]
        }
        return kept + 1
    }

    /// Moves the last value of each key to the first place of that key and returns the number of members left.
    private func mergeDuplicates(_ members: UnsafeMutableBufferPointer<JSONMember>) -> Int {
        guard members.count > Self.smallCount else {
            var kept = 0
            for index in members.indices {
                let member = members[index]
                var place = 0
                while place < kept, !Self.hasSameKey(members[place], member, base) { place &+= 1 }
                members[place] = member
                if place == kept { kept &+= 1 }
            }
            return kept
        }
        let base = base
        let order = members.indices.sorted { Self.compare(members[$0], members[$1], base) < 0 }
        var isDropped = [Bool](repeating: false, count: members.count)
        var first = order[0]
        for index in order.dropFirst() {
            if Self.hasSameKey(members[first], members[index], base) {
                members[first] = members[index]
                isDropped[index] = true
            } else {
                first = index
            }
        }
        var kept = 0
        for index in members.indices where !isDropped[index] {
            members[kept] = members[index]
            kept += 1
        }
        return kept
    }

    // MARK: Comparison

    @inline(__always)
    private static func hasSameKey(_ left: JSONMember, _ right: JSONMember, _ base: UnsafeMutableRawPointer) -> Bool {
        guard left.prefix == right.prefix, left.keyLength == right.keyLength else { return false }
        return compareKeys(left, right, base) == 0
    }

    /// Compares the keys, then the positions. The result is negative, zero or positive.
    @inline(__always)
    private static func compare(_ left: JSONMember, _ right: JSONMember, _ base: UnsafeMutableRawPointer) -> Int {
        if left.prefix != right.prefix { return left.prefix < right.prefix ? -1 : 1 }
        let order = compareKeys(left, right, base)
        return order != 0 ? order : left.keyStart &- right.keyStart
    }

    private static func compareKeys(_ left: JSONMember, _ right: JSONMember, _ base: UnsafeMutableRawPointer) -> Int {
        let leftKey = keyBytes(left, base), rightKey = keyBytes(right, base)
        if left.isEscaped || right.isEscaped { return compareEscaped(leftKey, rightKey) }
        let common = min(leftKey.count, rightKey.count)
        var index = 0
        while index &+ 8 <= common {
            let leftWord = UInt64(bigEndian: leftKey.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let rightWord = UInt64(bigEndian: rightKey.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if leftWord != rightWord { return leftWord < rightWord ? -1 : 1 }
            index &+= 8
        }
        while index < common {
            if leftKey[index] != rightKey[index] { return Int(leftKey[index]) - Int(rightKey[index]) }
            index &+= 1
        }
        return leftKey.count &- rightKey.count
    }

    private static func keyBytes(_ member: JSONMember, _ base: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + member.keyStart + Int(member.lead), count: Int(member.keyLength))
    }

    /// Compares keys by their unescaped bytes.
    private static func compareEscaped(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let left = JSONIndex.unescaped(left.assumingMemoryBound(to: UInt8.self)).utf8
        let right = JSONIndex.unescaped(right.assumingMemoryBound(to: UInt8.self)).utf8
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
