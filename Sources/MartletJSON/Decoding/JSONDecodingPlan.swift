internal import MartletEssentials

/// A type that is decoded from the index rather than through `init(from:)`.
protocol JSONIndexDecodable {
    /// Decodes a value and initializes memory of this type with it. The type takes at most ``JSONDecodingState/scratchSize`` bytes.
    static func decode(_ state: JSONDecodingState, at place: Int, into memory: UnsafeMutableRawPointer) throws
}

/// How values of one type are decoded. It is determined once per type and decoding, because dynamic casts are slow.
struct JSONDecodingPlan {
    enum Kind {
        /// By the type's `init(from:)`.
        case initializer
        /// From the index.
        case index
        case string, int, double, bool, date, data, url, decimal
        case strings, ints, doubles
    }

    let kind: Kind
    let decodable: (any JSONIndexDecodable.Type)?

    init<Value>(_ type: Value.Type) {
        let fits = MemoryLayout<Value>.size <= JSONDecodingState.scratchSize && MemoryLayout<Value>.alignment <= 16
        decodable = fits ? type as? any JSONIndexDecodable.Type : nil
        kind =
            switch type {
            case is String.Type: .string
            case is Int.Type: .int
            case is Double.Type: .double
            case is Bool.Type: .bool
            case is Date.Type: .date
            case is Data.Type: .data
            case is URL.Type: .url
            case is Decimal.Type: .decimal
            case is [String].Type: .strings
            case is [Int].Type: .ints
            case is [Double].Type: .doubles
            default: decodable == nil ? .initializer : .index
            }
    }
}

extension JSONDecodingState {
    /// Returns the plan of a type.
    @inline(__always)
    func plan<Value>(_ type: Value.Type) -> JSONDecodingPlan { plans.value(for: type) ?? makePlan(type) }

    @inline(never)
    private func makePlan<Value>(_ type: Value.Type) -> JSONDecodingPlan {
        let plan = JSONDecodingPlan(type)
        plans.insert(plan, for: type)
        return plan
    }

    /// Decodes a value of any type.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
        try decode(type, at: place, plan(type))
    }

    /// Decodes a value by its type's plan.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at place: Int, _ plan: JSONDecodingPlan) throws -> Value {
        if plan.kind == .initializer { return try Value(from: JSONValueDecoder(state: self, place: place)) }
        return try decodeSpecial(type, at: place, plan)
    }

    /// Decodes a value of a type with its own plan. Each cast converts a type to itself.
    @inline(never)
    private func decodeSpecial<Value: Decodable>(_ type: Value.Type, at place: Int, _ plan: JSONDecodingPlan) throws -> Value {
        switch plan.kind {
        case .string: return try cast(string(place))
        case .int: return try cast(integer(Int.self, place))
        case .double: return try cast(double(place))
        case .bool: return try cast(bool(place))
        case .date: return try cast(date(place))
        case .data: return try cast(data(place))
        case .url: return try cast(url(place))
        case .decimal: return try cast(decimal(place))
        case .strings: return try cast(strings(place))
        case .ints: return try cast(ints(place))
        case .doubles: return try cast(doubles(place))
        case .initializer: return try Value(from: JSONValueDecoder(state: self, place: place))
        case .index: break
        }
        guard let decodable = plan.decodable else { return try Value(from: JSONValueDecoder(state: self, place: place)) }
        // The value is decoded completely before it is written, so nothing else uses the scratch memory in between.
        try decodable.decode(self, at: place, into: scratch)
        return scratch.assumingMemoryBound(to: Value.self).move()
    }

    /// Returns a value as its own type under another generic name.
    @inline(__always)
    func cast<From, To>(_ value: From) -> To { unsafeBitCast(value, to: To.self) }
}
