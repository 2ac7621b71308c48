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
/// Finding the order takes a look at every entry. So that this does not happen for each entry beyond a limit, at least ``batch(of:)`` entries
/// are removed each time: of 1,000 entries 125, so that an insertion costs eight looks on average.
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
