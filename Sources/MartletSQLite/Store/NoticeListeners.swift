/// The closures that are told what happens to a store's file, besides the store's own.
struct NoticeListeners {
    private var listeners: [Int: @Sendable (String) -> Void] = [:]
    private var lastNumber = 0

    /// All that are registered.
    var all: [@Sendable (String) -> Void] { Array(listeners.values) }

    /// Registers a closure; returns its number.
    mutating func add(_ listener: @escaping @Sendable (String) -> Void) -> Int {
        lastNumber += 1
        listeners[lastNumber] = listener
        return lastNumber
    }

    /// Removes the closure with a number and returns it: releasing it under a lock could call back.
    mutating func remove(_ number: Int) -> (@Sendable (String) -> Void)? { listeners.removeValue(forKey: number) }
}
