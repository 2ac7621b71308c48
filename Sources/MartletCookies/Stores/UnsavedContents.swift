internal import Dispatch
internal import MartletEssentials
internal import MartletSystem

/// When the changes of a value are written to its file. It counts them.
struct SavePlan: Sendable {
    /// What a change requires.
    enum Next: Sendable, Equatable {
        /// A write now. The caller waits for it.
        case write
        /// A timer, at whose end all changes are written.
        case timer(Duration)
        /// Nothing: a write that is planned will contain the change.
        case nothing
    }

    private let delay: Duration
    private var hasTimer = false
    private var hasFailed = false
    /// The number of changes so far. The value's own number decreases if it is replaced.
    private(set) var revision = 0
    /// The number of changes that the file contains.
    private(set) var savedRevision = 0

    /// - Parameter delay: The maximum time between a change and the write, at most a day. Zero or less writes at each change.
    init(delay: Duration) { self.delay = min(delay, .seconds(86_400)) }

    /// Whether the file contains all changes.
    var isSaved: Bool { savedRevision == revision }

    /// Counts a change.
    mutating func noteChange() -> Next {
        revision += 1
        // After a failure, the caller of each change learns whether it is saved.
        if delay <= .zero || hasFailed { return .write }
        if hasTimer { return .nothing }
        hasTimer = true
        return .timer(delay)
    }

    /// Notes that the timer has fired: a later change needs another one.
    mutating func noteTimer() { hasTimer = false }

    /// Notes that the file contains the changes up to a number.
    mutating func noteWrite(of revision: Int) {
        savedRevision = max(savedRevision, revision)
        hasFailed = false
    }

    mutating func noteFailure() { hasFailed = true }
}

/// The content of a file that may have changes which the file has not.
protocol UnsavedContent: AnyObject, Sendable {
    /// The path of the file.
    var path: String { get }
    /// Writes the changes. It blocks.
    func writeOrReport()
}

/// The contents with unsaved changes in this process. They are kept until they are saved, and are written when the process exits.
final class UnsavedContents: Sendable {
    static let shared = UnsavedContents()
    /// The maximum time by which a file system that does not respond delays the exit.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let contents = Locked<[ObjectIdentifier: any UnsavedContent]>([:])

    private init() { atexit { UnsavedContents.shared.saveAtExit() } }

    func add(_ content: any UnsavedContent) { contents.withLock { $0[ObjectIdentifier(content)] = content } }

    func remove(_ content: any UnsavedContent) { contents.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(content)) } }

    /// Writes the contents of a file. It blocks.
    func save(path: String) {
        for content in contents.withLock({ Array($0.values) }) where content.path == path { content.writeOrReport() }
    }

    /// Writes all contents on another thread, because this one may hold a lock that the write needs.
    private func saveAtExit() {
        let unsaved = contents.withLock { Array($0.values) }
        guard !unsaved.isEmpty else { return }
        let done = DispatchSemaphore(value: 0)
        let save = { @Sendable in
            for content in unsaved { content.writeOrReport() }
            _ = done.signal()
        }
        do throws(SystemFailure) { try BackgroundThread.start(name: "martlet.exit", save) } catch { save() }
        _ = done.wait(timeout: .now() + UnsavedContents.patience)
    }
}
