internal import MartletSystem

/// Which of a double's replies go wrong, and how: a pure function of the reply's number, so that each run is like the last.
///
/// ```swift
/// server.faults = .first(2, .reset)  // and then all is well
/// server.faults = .inOrder(.reply(.status(503)), nil, .reset)
/// server.faults = .oneIn(3, .drop(atByte: 100), seed: 42)
/// ```
public struct FaultScript: Sendable, CustomStringConvertible {
    private let choose: @Sendable (Int) -> Fault?
    /// As it is written: `oneIn(3, reset, seed: 42)`.
    public let description: String

    /// A script that asks `choose` for each reply, which are counted from 0.
    public init(_ choose: @escaping @Sendable (_ index: Int) -> Fault?) { self.init("a closure", choose) }

    private init(_ description: String, _ choose: @escaping @Sendable (Int) -> Fault?) {
        self.description = description
        self.choose = choose
    }

    /// What goes wrong with the reply at `index`, counted from 0; nil for nothing.
    public func fault(at index: Int) -> Fault? { choose(index) }

    /// Nothing goes wrong.
    public static var never: FaultScript { FaultScript("never") { _ in nil } }

    /// Each reply goes wrong.
    public static func always(_ fault: Fault) -> FaultScript { FaultScript("always(\(fault))") { _ in fault } }

    /// The first `count` replies go wrong.
    public static func first(_ count: Int, _ fault: Fault) -> FaultScript {
        FaultScript("first(\(count), \(fault))") { $0 < count ? fault : nil }
    }

    /// Each reply by its place in the list, in which nil is for one that is well; behind the list all are.
    public static func inOrder(_ faults: Fault?...) -> FaultScript { inOrder(faults) }

    /// Each reply by its place in the list, in which nil is for one that is well; behind the list all are.
    public static func inOrder(_ faults: [Fault?]) -> FaultScript {
        FaultScript("inOrder(\(faults.map { $0?.description ?? "nil" }.joined(separator: ", ")))") { index in
            faults.indices.contains(index) ? faults[index] : nil
        }
    }

    /// Of each `count` replies one goes wrong, and chance, always the same for the same seed, decides which.
    ///
    /// So two in a row are the most, for 2 and more: a client that tries three times gets through. For 1 and less, each goes wrong.
    public static func oneIn(_ count: Int, _ fault: Fault, seed: UInt64) -> FaultScript {
        FaultScript("oneIn(\(count), \(fault), seed: \(seed))") { index in
            guard count > 1 else { return fault }
            var round = SeededGenerator(seed: UInt64(index / count))
            var chance = SeededGenerator(seed: seed ^ round.next())
            return Int.random(in: 0..<count, using: &chance) == index % count ? fault : nil
        }
    }
}

/// Counts through a script.
final class FaultPlayer: Sendable {
    let script: FaultScript
    private let count = Locked(0)

    init(_ script: FaultScript) { self.script = script }

    /// What goes wrong with the next reply.
    func next() -> Fault? {
        let index = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return script.fault(at: index)
    }
}
