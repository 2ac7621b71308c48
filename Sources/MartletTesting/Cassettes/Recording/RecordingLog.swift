internal import MartletEssentials
internal import MartletSystem

/// The exchanges of a recording in the order of their starts, and the file that they are written to.
final class RecordingLog: Sendable {
    private struct State {
        /// The exchanges. Nil for one that has not ended.
        var exchanges: [RecordedExchange?] = []
    }

    private let state = Locked(State())
    private let writer: Writer

    init(file: URL, writing: HARWriting) { writer = Writer(file: file, writing: writing) }

    /// Reserves a slot for an exchange that begins.
    func begin() -> Int {
        state.withLock { state in
            state.exchanges.append(nil)
            return state.exchanges.count - 1
        }
    }

    /// Stores the result of the exchange at a slot.
    func end(_ slot: Int, _ exchange: RecordedExchange) { state.withLock { $0.exchanges[slot] = exchange } }

    /// The number of exchanges that have ended.
    var count: Int { state.withLock { $0.exchanges.count { $0 != nil } } }

    func save() async throws(HARError) { try await writer.write { [state] in state.withLock { $0.exchanges } } }

    /// Writes files in sequence, so that an older version never replaces a newer one, and on a lane, because the file system may hang.
    private final class Writer: Sendable {
        private let file: URL
        private let writing: HARWriting
        private let jobs = FileLanes.shared.makeLane()
        /// The text of each exchange. Only jobs read and write it.
        private let texts = Locked<[Int: String]>([:])

        init(file: URL, writing: HARWriting) {
            self.file = file
            self.writing = writing
        }

        func write(_ exchanges: @escaping @Sendable () -> [RecordedExchange?]) async throws(HARError) {
            if let refusal = FileLanes.shared.refusal { throw HARError.unwritable("\(refusal)") }
            // A cancelled call is recorded too.
            let call = jobs.begin(refused: { HARError.unwritable("\($0)") }) { [self] () throws(HARError) in try writeNow(exchanges()) }
            try await call.value()
        }

        private func writeNow(_ exchanges: [RecordedExchange?]) throws(HARError) {
            var texts = texts.withLock { $0 }
            var entries: [String] = []
            for (slot, exchange) in exchanges.enumerated() {
                guard let exchange else { continue }
                let text = texts[slot] ?? writing.entry(exchange)
                texts[slot] = text
                entries.append(text)
            }
            self.texts.withLock { $0 = texts }
            do {
                // The target of a link is replaced, not the link.
                let file = file.resolvingSymlinksInPath()
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                let type = try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
                guard type == nil || type == .typeRegular else { throw HARError.unwritable("\(file.path) is not a regular file") }
                try HARWriting.file(entries).write(to: file, options: .atomic)
            } catch let error as HARError {
                throw error
            } catch {
                throw .unwritable(HARReading.explain(error, at: file))
            }
        }
    }
}
