/// Counts of the last period, in ten slots. The oldest slot may end early.
struct RollingWindow<Counts: Sendable>: Sendable {
    private struct Slot: Sendable {
        var number: Int64 = .min
        var counts: Counts
    }

    private static var slotCount: Int { 10 }
    private let slotLength: Duration
    private let empty: Counts
    private var start: ContinuousClock.Instant?
    private var slots: [Slot]
    private var latest: Int64 = 0

    /// Creates a window of at least 10 ms.
    init(_ length: Duration, empty: Counts) {
        slotLength = max(.milliseconds(10), length) / Self.slotCount
        self.empty = empty
        slots = [Slot](repeating: Slot(counts: empty), count: Self.slotCount)
    }

    /// Changes the counts of an instant. An instant before the latest counts as the latest.
    mutating func change(at instant: ContinuousClock.Instant, _ body: (inout Counts) -> Void) {
        body(&slots[open(at: instant)].counts)
    }

    /// Returns the counts of the period that ends at an instant.
    mutating func recent(at instant: ContinuousClock.Instant) -> [Counts] {
        _ = open(at: instant)
        return slots.filter { $0.number > latest - Int64(Self.slotCount) }.map(\.counts)
    }

    /// Forgets everything.
    mutating func clear() { slots = slots.map { _ in Slot(counts: empty) } }

    /// Returns the slot of an instant, and empties it if it counted an older period.
    private mutating func open(at instant: ContinuousClock.Instant) -> Int {
        let start = start ?? instant
        self.start = start
        let passed = start.duration(to: instant)
        latest = max(latest, passed > .zero ? Int64(min(passed / slotLength, 0x1p62)) : 0)
        let index = Int(latest % Int64(Self.slotCount))
        if slots[index].number != latest { slots[index] = Slot(number: latest, counts: empty) }
        return index
    }
}
