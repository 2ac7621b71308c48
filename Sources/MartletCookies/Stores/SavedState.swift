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

/// A value in memory that is read from a file at the first use and saved after changes: those of some time with one write.
///
/// Changes that are not in the file yet are saved when the last reference is released, when the process exits, and before another state
/// reads the same file.
final class SavedState<Value: SavedValue>: Sendable {
    private let content: SavedContent<Value>

    /// Creates a state over a file. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - delay: The maximum time between a change and the write that saves it. Zero saves each change before its call returns.
    ///   - report: Called for a damaged file, which was renamed, and for a failed write that no caller waits for.
    init(_ value: Value, _ file: URL, delay: Duration, time: any TimeSource, report: @escaping @Sendable (StateStoreError) -> Void) {
        content = SavedContent(value, file, delay: delay, time: time, report: report)
    }

    deinit { content.saveSoon() }

    /// Calls `body` with the value, schedules a write if it has changed, and returns the result.
    ///
    /// - Throws: The failure to read the file, and without a delay or after a failed write that to save the changes, which the value keeps.
    func with<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) async throws(StateStoreError) -> Result {
        try await content.with(body)
    }

    /// Waits until the file contains all changes so far.
    func save() async throws(StateStoreError) { try await content.save() }
}

/// The content of a ``SavedState``, which lives until it is saved.
private final class SavedContent<Value: SavedValue>: UnsavedContent {
    private struct State {
        var value: Value
        var plan: SavePlan
        var isLoaded = false
        var loading: Task<StateStoreError?, Never>?
        var saving: Task<StateStoreError?, Never>?
    }

    private let file: StateFile
    private let time: any TimeSource
    private let report: @Sendable (StateStoreError) -> Void
    private let state: Locked<State>
    /// Held during a write, so that none replaces the file by an older value.
    private let writing = Locked(())

    init(_ value: Value, _ file: URL, delay: Duration, time: any TimeSource, report: @escaping @Sendable (StateStoreError) -> Void) {
        self.file = StateFile(url: file)
        self.time = time
        self.report = report
        state = Locked(State(value: value, plan: SavePlan(delay: delay)))
    }

    var path: String { file.path }

    func with<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) async throws(StateStoreError) -> Result {
        try await load()
        // The caller's code may run with the lock: it can't wait, and so can't come back here.
        let (result, next, revision) = state.withLock { state in
            let before = state.value.changeCount, result = body(&state.value)
            guard state.value.changeCount != before else { return (result, SavePlan.Next.nothing, 0) }
            let next = state.plan.noteChange()
            UnsavedContents.shared.add(self)
            return (result, next, state.plan.revision)
        }
        switch next {
        case .nothing: break
        case .write: try await save(revision)
        case .timer(let delay):
            _ = time.timer(at: time.instant + delay) { [weak self] in self?.timerFired() }
        }
        return result
    }

    // MARK: Reading

    /// Reads the file once for all callers. After a failure, the next call tries again.
    private func load() async throws(StateStoreError) {
        let task = state.withLock { state -> Task<StateStoreError?, Never>? in
            guard !state.isLoaded else { return nil }
            let task = state.loading ?? Task { await self.read() }
            state.loading = task
            return task
        }
        if let task, let error = await task.value { throw error }
    }

    private func read() async -> StateStoreError? {
        let outcome = await StateFile.onLane { [file] () throws(StateStoreError) in
            // An earlier state of this file may have been released just now.
            UnsavedContents.shared.save(path: file.path)
            return try file.read(Value.Document.self)
        }
        let content = state.withLock { state -> StateFile.Content<Value.Document>? in
            // Here, so that no caller sees a task that has ended.
            state.loading = nil
            guard case .success(let content) = outcome else { return nil }
            if let document = content.document { state.value.restore(document, at: time.now) }
            state.isLoaded = true
            return content
        }
        content?.damage.map(report)
        return if case .failure(let error) = outcome { error } else { nil }
    }

    // MARK: Saving

    func save() async throws(StateStoreError) { try await save(state.withLock { $0.plan.revision }) }

    /// Waits until the file contains the change with this number. One write may save the changes of several callers.
    private func save(_ wanted: Int) async throws(StateStoreError) {
        while true {
            let (task, isOwn) = state.withLock { state -> (Task<StateStoreError?, Never>?, Bool) in
                if state.plan.savedRevision >= wanted { return (nil, false) }
                if let saving = state.saving { return (saving, false) }
                let task = Task { await self.write() }
                state.saving = task
                return (task, true)
            }
            guard let task else { return }
            // Another caller's write may have begun before this change. If it failed, this call tries again.
            if let error = await task.value, isOwn { throw error }
        }
    }

    /// Saves the changes, if there are any, for no caller.
    func saveSoon() {
        guard state.withLock({ !$0.plan.isSaved }) else { return }
        Task.detached { [self] in do throws(StateStoreError) { try await save() } catch { report(error) } }
    }

    private func timerFired() {
        state.withLock { $0.plan.noteTimer() }
        saveSoon()
    }

    private func write() async -> StateStoreError? {
        let outcome = await StateFile.onLane { [self] () throws(StateStoreError) in try writeNow() }
        state.withLock { state in
            if case .failure = outcome { state.plan.noteFailure() }
            state.saving = nil
        }
        return if case .failure(let error) = outcome { error } else { nil }
    }

    /// Writes the newest value, unless the file has it.
    private func writeNow() throws(StateStoreError) {
        try writing.withLock { _ throws(StateStoreError) in
            let unsaved = state.withLock { state in state.plan.isSaved ? nil : (state.value, state.plan.revision) }
            guard let (value, revision) = unsaved else { return }
            try file.write(value.document(at: time.now))
            state.withLock { state in
                state.plan.noteWrite(of: revision)
                if state.plan.isSaved { UnsavedContents.shared.remove(self) }
            }
        }
    }

    func writeOrReport() {
        do throws(StateStoreError) { try writeNow() } catch {
            state.withLock { $0.plan.noteFailure() }
            report(error)
        }
    }
}
