/// The value that a reader is at.
@usableFromInline
struct JSONReaderValue {
    enum State: UInt8 { case unread, begun, ended, read }

    /// The place where the value begins.
    let start: Int
    /// The place after an object that was read as another type, or 0.
    var end = 0
    /// A bit for each name that was visited, so that most others are not searched.
    var names: UInt64 = 0
    private let first: UInt32
    var state = State.unread

    /// The first of the visited members.
    var firstMember: Int { Int(first) }

    /// Whether its object was begun, and the place is after a member, or after the end.
    var isBegun: Bool { state == .begun || state == .ended }

    init(start: Int, firstMember: Int) {
        self.start = start
        // A document has fewer values.
        first = UInt32(truncatingIfNeeded: firstMember)
    }
}

/// The visited members of the objects that are being read, each after those of the object that it is in.
struct JSONReaderMembers: ~Copyable {
    struct Member {
        var name: Int, nameLength: Int
        var value: Int
    }

    var count = 0
    private var capacity = 0
    private var members: UnsafeMutablePointer<Member>?

    init() {}

    deinit { members?.deallocate() }

    @inline(__always)
    mutating func append(_ member: Member) {
        if count == capacity { grow() }
        members.unsafelyUnwrapped[count] = member
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        capacity = capacity * 2 + 32
        let old = members
        members = .allocate(capacity: capacity)
        if let old {
            members?.moveInitialize(from: old, count: count)
            old.deallocate()
        }
    }

    /// Returns the place of the value of the first member with a name.
    func place(of name: StaticString, from first: Int, in bytes: borrowing JSONReaderBytes) -> Int? {
        guard let members else { return nil }
        for index in first..<count where members[index].nameLength == name.utf8CodeUnitCount {
            if bytes.matches(name, at: members[index].name) { return members[index].value }
        }
        return nil
    }
}

extension JSONReader {
    /// Where the value of a member is.
    @usableFromInline
    enum Found {
        /// It is next, and the following member comes after it.
        case next
        /// It is next, and reading goes on at another place, because it was skipped before.
        case earlier(resume: Int)
        /// The object has no such member, or the decoder must be asked.
        case missing
    }

    /// The maximum number of members of an object that are visited before one that is asked for. Each later search goes through them.
    private static let maxVisited = 1_000

    /// Goes to the value of a member. In the order of the document, this compares one name.
    @usableFromInline
    mutating func find(_ name: StaticString) throws -> Found {
        if current.state == .unread, !asksDecoder { try beginObject() }
        guard current.state == .begun, !isRefused, name.hasPointerRepresentation else { return try findAnywhere(name) }
        let bit = JSONReaderBytes.bit(name.utf8Start, name.utf8CodeUnitCount)
        return try current.names & bit == 0 && isNext(name, bit) ? .next : try findAnywhere(name)
    }

    /// Goes to the value of a member that was visited before, or is after others.
    @inline(never)
    private mutating func findAnywhere(_ name: StaticString) throws -> Found {
        if asksDecoder { return .missing }
        guard name.hasPointerRepresentation, !isRefused else { throw refuse() }
        if !current.isBegun { try beginObject() }
        if let place = members.place(of: name, from: current.firstMember, in: bytes) {
            let resume = bytes.place
            bytes.place = place
            return .earlier(resume: resume)
        }
        let bit = JSONReaderBytes.bit(name.utf8Start, name.utf8CodeUnitCount)
        while current.state == .begun { if try isNext(name, bit) { return .next } }
        return .missing
    }

    /// Goes to the value of the next member if it has a name, and otherwise after it, or after the end of the object.
    ///
    /// - Parameter bit: The bit of the name.
    @inline(__always)
    private mutating func isNext(_ name: StaticString, _ bit: UInt64) throws -> Bool {
        guard let (start, length) = try checked({ bytes throws(Refusal) in try bytes.nextName() }) else {
            current.state = .ended
            return false
        }
        members.append(JSONReaderMembers.Member(name: start, nameLength: length, value: bytes.place))
        if length == name.utf8CodeUnitCount, bytes.matches(name, at: start) {
            current.names |= bit
            return true
        }
        current.names |= bytes.bit(ofNameAt: start, length)
        try skipMember()
        return false
    }

    /// Whether the object begins with a member.
    package mutating func beginsWith(_ name: StaticString) throws -> Bool {
        guard current.state == .unread, !asksDecoder else { return false }
        try beginObject()
        var ahead = bytes
        guard let (start, length) = try? ahead.nextName() else { return false }
        return length == name.utf8CodeUnitCount && ahead.matches(name, at: start)
    }

    @usableFromInline
    mutating func resume(at place: Int) { bytes.place = place }

    /// Skips the value of the last visited member, which may be read later.
    @inline(never)
    mutating func skipMember() throws {
        let start = bytes.place
        try skip()
        // Each value may be skipped in each object that it is in. A document for which this takes too long is decoded with an index.
        bytes.skipped &+= bytes.place &- start
        guard members.count &- current.firstMember <= JSONReader.maxVisited, bytes.skipped <= bytes.maxSkipped else { throw refuse() }
    }

    /// Begins an object that is read by its names.
    mutating func beginObject() throws {
        bytes.place = current.start
        try checked { bytes throws(Refusal) in try bytes.begin(UInt8(ascii: "{")) }
        current.state = .begun
    }

    /// Goes to the next member of an object, and returns its name, or nil at the end.
    mutating func nextName() throws -> String? {
        let name = try checked { bytes throws(Refusal) in
            guard try bytes.advanceToName() else { return String?.none }
            let name = try bytes.string()
            try bytes.colon()
            return name
        }
        if name == nil { current.state = .read }
        return name
    }
}
