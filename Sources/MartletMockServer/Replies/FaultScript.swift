internal import MartletSystem

/// A script that decides which replies of a test double fail, and how. It depends only on the number of the reply, so that runs are
/// repeatable.
///
/// ```swift
/// server.faults = .first(2, .reset)  // later replies have no faults
/// server.faults = .inOrder(.reply(.status(503)), nil, .reset)
/// server.faults = .oneIn(3, .drop(atByte: 100), seed: 42)
/// ```
public struct FaultScript: Sendable, CustomStringConvertible {
    private let choose: @Sendable (Int) -> Fault?
    /// The script as written in Swift, such as `oneIn(3, reset, seed: 42)`.
    public let description: String

    /// Creates a script that calls `choose` with the number of each reply, from 0, for its fault, or nil for none.
    public init(_ choose: @escaping @Sendable (_ index: Int) -> Fault?) { self.init("a closure", choose) }

    private init(_ description: String, _ choose: @escaping @Sendable (Int) -> Fault?) {
        self.description = description
        self.choose = choose
    }

    /// Returns the fault of the reply at `index`, counted from 0, or nil for none.
    public func fault(at index: Int) -> Fault? { choose(index) }

    /// The script in which no reply has a fault.
    public static var never: FaultScript { FaultScript("never") { _ in nil } }

    /// Returns a script in which every reply has the fault.
    public static func always(_ fault: Fault) -> FaultScript { FaultScript("always(\(fault))") { _ in fault } }

    /// Returns a script in which the first `count` replies have the fault.
    public static func first(_ count: Int, _ fault: Fault) -> FaultScript {
        FaultScript("first(\(count), \(fault))") { $0 < count ? fault : nil }
    }

    /// Returns a script with one entry for each reply in order, where nil is no fault. Replies after the list have no fault.
    public static func inOrder(_ faults: Fault?...) -> FaultScript { inOrder(faults) }

    /// Returns a script with one entry of the list for each reply in order, where nil is no fault. Replies after the list have no fault.
    public static func inOrder(_ faults: [Fault?]) -> FaultScript {
        FaultScript("inOrder(\(faults.map { $0?.description ?? "nil" }.joined(separator: ", ")))") { index in
            faults.indices.contains(index) ? faults[index] : nil
        }
    }

    /// Returns a script in which one reply of each `count` consecutive ones has the fault, chosen by the seed.
    ///
    /// If `count` is 2 or more, at most two replies in a row have the fault: a client that tries three times succeeds. If it is 1 or less,
    /// each reply has the fault.
    public static func oneIn(_ count: Int, _ fault: Fault, seed: UInt64) -> FaultScript {
        FaultScript("oneIn(\(count), \(fault), seed: \(seed))") { index in
            guard count > 1 else { return fault }
            var round = SeededGenerator(seed: UInt64(index / count))
            var chance = SeededGenerator(seed: seed ^ round.next())
            return Int.random(in: 0..<count, using: &chance) == index % count ? fault : nil
        }
    }
}

/// Counts replies and returns their faults.
final class FaultPlayer: Sendable {
    let script: FaultScript
    private let count = Locked(0)

    init(_ script: FaultScript) { self.script = script }

    /// Returns the fault of the next reply, or nil for none.
    func next() -> Fault? {
        let index = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return script.fault(at: index)
    }
}
