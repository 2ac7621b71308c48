import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache

/// An in-memory store that passes its results through a function.
final class FilteredStore: CacheStore {
    private let memory = MemoryCacheStore()
    private let filter: @Sendable ([CacheEntry]) async -> [CacheEntry]

    init(_ filter: @escaping @Sendable ([CacheEntry]) async -> [CacheEntry]) { self.filter = filter }

    /// A store whose bodies are streams in chunks of some size, like those of a store on disk.
    static func chunked(_ chunk: Int) -> FilteredStore {
        FilteredStore { entries in
            entries.map { entry in
                let bytes = entry.body.buffered ?? Data()
                let body = HTTPBody(length: Int64(bytes.count)) { () throws(HTTPError) in
                    let rest = Locked(bytes)
                    return ClosureBodyReader {
                        rest.withLock { rest in
                            defer { rest = Data(rest.dropFirst(chunk)) }
                            return rest.isEmpty ? nil : Data(rest.prefix(chunk))
                        }
                    }
                }
                return CacheEntry(response: entry.response, body: body)
            }
        }
    }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { await filter(try await memory.entries(for: key)) }

    func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        try await memory.writer(for: response, length: length)
    }

    func update(_ response: StoredResponse) async throws(CacheStoreError) { try await memory.update(response) }
    func remove(_ response: StoredResponse) async throws(CacheStoreError) { try await memory.remove(response) }
    func removeAll(for uri: String) async throws(CacheStoreError) { try await memory.removeAll(for: uri) }
    func removeAll() async throws(CacheStoreError) { try await memory.removeAll() }
}

/// The operations at which a store can be made to fail.
enum StoreStep: Sendable, CaseIterable { case entries, writer, write, finish, update, remove, removeAll }

/// A store that fails in some operations.
final class FaultyStore: CacheStore {
    let memory = MemoryCacheStore()
    private let faults: Locked<Set<StoreStep>>

    init(_ faults: Set<StoreStep>) { self.faults = Locked(faults) }

    func fail(at steps: Set<StoreStep>) { faults.withLock { $0 = steps } }

    fileprivate func check(_ step: StoreStep) throws(CacheStoreError) {
        if faults.withLock({ $0.contains(step) }) { throw CacheStoreError(.failed, "\(step)") }
    }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        try check(.entries)
        return try await memory.entries(for: key)
    }

    func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        try check(.writer)
        return try await memory.writer(for: response, length: length).map { FaultyWriter($0, self) }
    }

    func update(_ response: StoredResponse) async throws(CacheStoreError) {
        try check(.update)
        try await memory.update(response)
    }

    func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        try check(.remove)
        try await memory.remove(response)
    }

    func removeAll(for uri: String) async throws(CacheStoreError) {
        try check(.removeAll)
        try await memory.removeAll(for: uri)
    }

    func removeAll() async throws(CacheStoreError) {
        try check(.removeAll)
        try await memory.removeAll()
    }

    private final class FaultyWriter: CacheWriter {
        private let writer: any CacheWriter
        private let store: FaultyStore

        init(_ writer: any CacheWriter, _ store: FaultyStore) {
            self.writer = writer
            self.store = store
        }

        func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
            try store.check(.write)
            return try await writer.write(chunk)
        }

        func finish() async throws(CacheStoreError) {
            try store.check(.finish)
            try await writer.finish()
        }
    }
}

/// A transport whose responses wait until the test releases them.
final class HeldServer: Sendable {
    let gate = Barrier()
    let transport: MockTransport

    init(_ reply: @escaping @Sendable (HTTPRequest) throws -> MockReply) {
        let gate = gate
        transport = MockTransport { request in
            await gate.pass()
            return try reply(request)
        }
    }
}

/// A store whose first lookup takes its result immediately and returns it when the test allows it.
struct LateReads: Sendable {
    let hasRead = OneShot<Void>()
    let mayReturn = OneShot<Void>()
    let store: FilteredStore

    init() {
        let isFirst = Locked(true)
        store = FilteredStore { [hasRead, mayReturn] entries in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return entries }
            hasRead.set(())
            await mayReturn.value()
            return entries
        }
    }
}
