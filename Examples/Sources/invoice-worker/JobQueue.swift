/// The queue of orders. It stands for a message broker: jobs that are put back remain for the next worker.
actor JobQueue {
    private(set) var orders: [Int]
    private let endsWhenEmpty: Bool
    private var isClosed = false
    private var takers: [CheckedContinuation<Int?, Never>] = []

    /// Creates a queue with some orders. It waits for further ones unless `endsWhenEmpty` is true.
    init(_ orders: [Int] = [], endsWhenEmpty: Bool = false) {
        self.orders = orders
        self.endsWhenEmpty = endsWhenEmpty
    }

    func add(_ new: some Sequence<Int>) {
        for order in new {
            if let taker = takers.popLast() { taker.resume(returning: order) } else { orders.append(order) }
        }
    }

    /// Returns the next order, or waits until one is added. Returns nil at the end of the queue.
    func next() async -> Int? {
        if isClosed { return nil }
        if !orders.isEmpty { return orders.removeFirst() }
        if endsWhenEmpty { return nil }
        return await withCheckedContinuation { takers.append($0) }
    }

    /// Delivers no more orders. The remaining ones stay in the queue.
    func close() {
        isClosed = true
        for taker in takers { taker.resume(returning: nil) }
        takers = []
    }
}
