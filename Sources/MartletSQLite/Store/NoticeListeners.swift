/// The closures that receive the events of a store's file, in addition to the store's own.
struct NoticeListeners {
    private var listeners: [Int: @Sendable (String) -> Void] = [:]
    private var lastNumber = 0

    /// All registered closures.
    var all: [@Sendable (String) -> Void] { Array(listeners.values) }

    /// Registers a closure and returns its number.
    mutating func add(_ listener: @escaping @Sendable (String) -> Void) -> Int {
        lastNumber += 1
        listeners[lastNumber] = listener
        return lastNumber
    }

    /// Removes a closure and returns it, because releasing it under a lock could call back.
    mutating func remove(_ number: Int) -> (@Sendable (String) -> Void)? { listeners.removeValue(forKey: number) }
}
