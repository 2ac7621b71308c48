/// A dictionary with a maximum number of entries, and optionally a maximum cost of all.
///
/// ```swift
/// var timeouts = BoundedMap<String, Duration>(limit: 1_000)
/// timeouts.insert(.seconds(5), for: "https://api.example")
/// ```
///
/// An insertion beyond a limit removes an eighth of the entries, or more if the limit requires it: by default those that were used longest
/// ago. The entries of a map with a limit below 15 are removed one by one. An insertion into a full map therefore costs a constant number
/// of looks at entries, and a logarithmic number of comparisons, on average.
///
/// Insertions and ``use(_:_:)`` count as uses. Reading does not.
public struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline var value: Value
        @usableFromInline let cost: Int
        /// The number of the last use among all uses.
        @usableFromInline var lastUse: Int

        @inlinable init(value: Value, cost: Int, lastUse: Int) {
            self.value = value
            self.cost = cost
            self.lastUse = lastUse
        }
    }

    /// A key and its value.
    public typealias Element = (key: Key, value: Value)

    @usableFromInline var entries: [Key: Entry] = [:]
    @usableFromInline var useCount = 0
    /// The number of entries above which entries are removed. It exceeds the limit after more than that had to stay, until so many are
    /// gone.
    @usableFromInline var threshold: Int

    /// The maximum number of entries, without those that must stay.
    public let limit: Int
    /// The maximum cost of all entries together.
    public let maxCost: Int
    @usableFromInline var totalCost = 0

    /// Creates an empty map.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries.
    ///   - maxCost: The maximum cost of all entries together. Default: no maximum.
    @inlinable public init(limit: Int, maxCost: Int = .max) {
        self.limit = max(0, limit)
        self.maxCost = max(0, maxCost)
        threshold = max(0, limit)
    }

    /// The number of entries.
    @inlinable public var count: Int { entries.count }
    /// Whether there are no entries.
    @inlinable public var isEmpty: Bool { entries.isEmpty }
    /// The cost of all entries together.
    @inlinable public var cost: Int { totalCost }

    /// The value of a key, or nil.
    @inlinable public subscript(key: Key) -> Value? { entries[key]?.value }

    /// The values in no order.
    @inlinable public var values: some Collection<Value> { entries.values.lazy.map(\.value) }

    /// The keys and values in no order.
    @inlinable public var elements: some Collection<Element> { entries.lazy.map { (key: $0.key, value: $0.value.value) } }

    /// The map without limits.
    @inlinable public var dictionary: [Key: Value] { entries.mapValues(\.value) }

    // MARK: Insertions

    /// Stores a value. If there are too many, removes those that were used longest ago, and returns them.
    @discardableResult
    @inlinable public mutating func insert(_ value: Value, for key: Key, cost: Int = 0) -> [Element] {
        insert(value, for: key, cost: cost) { _ in .inOrder(0) }
    }

    /// Stores a value. If there are too many, removes some, and returns them.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its key. A value that it had before is replaced.
    ///   - cost: The part of ``maxCost`` that the entry takes.
    ///   - eviction: What happens to an entry. Of those with equal orders, the one that was used longest ago is removed first. The new
    ///     entry is treated like all others.
    @discardableResult
    @inlinable public mutating func insert<Order: Comparable>(
        _ value: Value, for key: Key, cost: Int = 0, evicting eviction: (Element) -> Eviction<Order>
    ) -> [Element] {
        put(value, key, cost)
        guard isOverfull else { return [] }
        return evict(EvictionOrder(entries, { eviction(($0.key, $0.value.value)) }, ties: { $0.value.lastUse < $1.value.lastUse }))
    }

    /// Stores a value. If there are too many, removes some of the largest groups, and returns them.
    ///
    /// A group thus loses entries only to its own size: whoever can make many entries of one group removes none of another.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its key. A value that it had before is replaced.
    ///   - group: The group of an entry. It is called once for each.
    ///   - eviction: What happens to an entry among those of its group.
    @discardableResult
    @inlinable public mutating func insert<Order: Comparable, Group: Hashable>(
        _ value: Value, for key: Key, fromLargest group: (Element) -> Group, evicting eviction: (Element) -> Eviction<Order>
    ) -> [Element] {
        put(value, key, 0)
        guard isOverfull else { return [] }
        // An entry is removed before all others that fewer entries of their group outlive.
        var outlived: [Key: Int] = [:]
        for members in Dictionary(grouping: entries, by: { group(($0.key, $0.value.value)) }).values {
            let order = EvictionOrder(members, { eviction(($0.key, $0.value.value)) }, ties: { $0.value.lastUse < $1.value.lastUse })
            for (index, member) in order.items.enumerated() {
                outlived[member.key] = index < order.uselessCount ? .max : order.items.count - index
            }
        }
        return evict(
            EvictionOrder(entries) { entry -> Eviction<GroupedOrder<Order>> in
                guard let place = outlived[entry.key] else { return .never }
                guard case .inOrder(let order) = eviction((entry.key, entry.value.value)), place < .max else { return .atOnce }
                return .inOrder(GroupedOrder(place: place, order: order))
            } ties: {
                $0.value.lastUse < $1.value.lastUse
            })
    }

    // MARK: Changes

    /// Changes the value of a key in place, which counts as a use. Returns nil if there is none.
    @inlinable public mutating func use<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let index = entries.index(forKey: key) else { return nil }
        useCount &+= 1
        entries.values[index].lastUse = useCount
        return body(&entries.values[index].value)
    }

    /// Changes all values in place, which does not count as a use.
    @inlinable public mutating func updateAll(_ body: (inout Value) -> Void) {
        // Not over `indices`, which hold a reference to the storage: it would be copied.
        var index = entries.startIndex
        while index != entries.endIndex {
            body(&entries.values[index].value)
            entries.formIndex(after: &index)
        }
    }

    /// Removes an entry and returns its value, or nil if there is none.
    @discardableResult
    @inlinable public mutating func removeValue(for key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        totalCost -= entry.cost
        if entries.count <= limit { threshold = limit }
        return entry.value
    }

    /// Removes the entries for which `isRemoved` returns true. Returns their number.
    @discardableResult
    @inlinable public mutating func removeAll(where isRemoved: (Element) -> Bool) -> Int {
        let removed = entries.filter { isRemoved(($0.key, $0.value.value)) }
        for key in removed.keys { removeValue(for: key) }
        return removed.count
    }

    /// Removes all entries.
    @inlinable public mutating func removeAll() { self = BoundedMap(limit: limit, maxCost: maxCost) }

    @inlinable mutating func put(_ value: Value, _ key: Key, _ cost: Int) {
        useCount &+= 1
        let old = entries.updateValue(Entry(value: value, cost: cost, lastUse: useCount), forKey: key)
        totalCost += cost - (old?.cost ?? 0)
    }

    @inlinable var isOverfull: Bool { entries.count > threshold || totalCost > maxCost }

    @inlinable mutating func evict(_ order: EvictionOrder<(key: Key, value: Entry)>) -> [Element] {
        var number = order.excess(of: count, limit: limit).count
        var rest = totalCost - order.items.prefix(number).reduce(0) { $0 + $1.value.cost }
        while rest > maxCost, number < order.items.count {
            rest -= order.items[number].value.cost
            number += 1
        }
        let removed = order.items.prefix(number)
        for item in removed { removeValue(for: item.key) }
        // If most entries must stay, the next look at all of them has to wait until the map has grown.
        threshold = count > limit ? count + EvictionOrder<Element>.batch(of: count) : limit
        return removed.map { (key: $0.key, value: $0.value.value) }
    }
}

/// The order of entries of which those of the largest group are removed first.
@usableFromInline struct GroupedOrder<Order: Comparable>: Comparable {
    /// The number of entries of the group that are removed later, and this one.
    @usableFromInline let place: Int
    @usableFromInline let order: Order

    @inlinable init(place: Int, order: Order) {
        self.place = place
        self.order = order
    }

    @inlinable static func < (left: Self, right: Self) -> Bool {
        left.place == right.place ? left.order < right.order : left.place > right.place
    }
}

/// What happens to an entry when a collection has too many.
public enum Eviction<Order: Comparable> {
    /// The entry has no use any more, for example because it has expired. It is removed even if the limits do not require it.
    case atOnce
    /// Entries with a lower order are removed before those with a higher one.
    case inOrder(Order)
    /// The entry stays, even beyond the limits.
    case never
}

/// The entries of a collection in the order of their removal.
///
/// Finding the order takes a look at every entry. So that this does not happen for each entry beyond a limit, at least ``batch(of:)``
/// entries are removed each time: of 1,000 entries 125, so that an insertion costs eight looks on average.
public struct EvictionOrder<Item> {
    /// The entries, without those that stay.
    public let items: [Item]
    /// The number of entries at the start that have no use any more.
    public let uselessCount: Int

    /// Sorts entries.
    ///
    /// - Parameters:
    ///   - items: The entries.
    ///   - eviction: What happens to an entry. It is called once for each.
    ///   - isEarlier: Decides between entries of the same order.
    @inlinable
    public init<Order: Comparable>(
        _ items: some Sequence<Item>, _ eviction: (Item) -> Eviction<Order>, ties isEarlier: (Item, Item) -> Bool
    ) {
        var useless: [Item] = [], ordered: [(order: Order, item: Item)] = []
        for item in items {
            switch eviction(item) {
            case .atOnce: useless.append(item)
            case .inOrder(let order): ordered.append((order, item))
            case .never: break
            }
        }
        ordered.sort { $0.order == $1.order ? isEarlier($0.item, $1.item) : $0.order < $1.order }
        uselessCount = useless.count
        self.items = useless + ordered.map(\.item)
    }

    /// The number of entries that are removed at a time from a collection: an eighth, and at least one.
    @inlinable public static func batch(of count: Int) -> Int { max(1, count / 8) }

    /// Returns the entries to remove from a collection.
    ///
    /// - Parameters:
    ///   - count: The number of entries in the collection.
    ///   - limit: The maximum number.
    @inlinable public func excess(of count: Int, limit: Int) -> ArraySlice<Item> {
        items.prefix(max(uselessCount, count - limit, Self.batch(of: count)))
    }
}
