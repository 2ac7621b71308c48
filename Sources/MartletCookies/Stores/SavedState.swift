internal import MartletEssentials
internal import MartletSystem

/// A value that ``SavedState`` keeps in a file.
protocol SavedValue: Sendable {
    associatedtype Document: StateDocument
    /// The number of changes so far. Another number means that the value must be saved.
    var changeCount: Int { get }
    /// Adds the content of the file.
    mutating func restore(_ document: Document, at now: Date)
    /// Returns the content of the file, without expired parts.
    func document(at now: Date) -> Document
}

/// A value in memory that is read from a file at the first use and saved after each change.
actor SavedState<Value: SavedValue> {
    private let file: StateFile
    private let time: any TimeSource
    private let report: @Sendable (StateStoreError) -> Void
    private var value: Value
    private var isLoaded = false
    private var loading: Task<StateStoreError?, Never>?
    /// The number of changes so far. The value's own number decreases if it is replaced.
    private var revision = 0
    /// The number of changes that the file contains.
    private var savedRevision = 0
    private var saving: Task<StateStoreError?, Never>?

    /// Creates a state over a file. Nothing is read yet.
    ///
    /// - Parameter report: Called for a damaged file, which was renamed.
    init(_ value: Value, _ file: URL, time: any TimeSource, report: @escaping @Sendable (StateStoreError) -> Void) {
        self.value = value
        self.file = StateFile(url: file)
        self.time = time
        self.report = report
    }

    /// Calls `body` with the value, saves it if it has changed, and returns the result. After a failure to save, the value keeps the
    /// changes.
    func with<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) async throws(StateStoreError) -> Result {
        if !isLoaded { try await load() }
        let before = value.changeCount, result = body(&value)
        if value.changeCount != before {
            revision += 1
            try await save(revision)
        }
        return result
    }

    /// Reads the file once for all callers. After a failure, the next call tries again.
    private func load() async throws(StateStoreError) {
        let task = loading ?? Task { await read() }
        loading = task
        if let error = await task.value { throw error }
    }

    private func read() async -> StateStoreError? {
        let outcome = await StateFile.onLane { [file] () throws(StateStoreError) in try file.read(Value.Document.self) }
        // Within the task, so that no caller sees a task that has ended.
        loading = nil
        switch outcome {
        case .failure(let error): return error
        case .success(let content):
            if let document = content.document { value.restore(document, at: time.now) }
            isLoaded = true
            content.damage.map(report)
            return nil
        }
    }

    /// Waits until the file contains the change with this number. One write may save the changes of several callers.
    private func save(_ wanted: Int) async throws(StateStoreError) {
        while savedRevision < wanted {
            if let saving {
                // It began before this change. If it failed, this call tries again.
                _ = await saving.value
                continue
            }
            let task = Task { await write() }
            saving = task
            if let error = await task.value { throw error }
        }
    }

    private func write() async -> StateStoreError? {
        let saved = revision, document = value.document(at: time.now)
        let outcome = await StateFile.onLane { [file] () throws(StateStoreError) in try file.write(document) }
        saving = nil
        if case .failure(let error) = outcome { return error }
        savedRevision = saved
        return nil
    }
}
