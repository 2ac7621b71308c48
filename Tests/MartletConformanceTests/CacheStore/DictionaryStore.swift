import Foundation
import MartletConformance
import MartletSystem
import MartletTesting

@testable import MartletCache

/// A store in memory with at most one fault.
final class DictionaryStore: CacheStore {
    enum Fault: CaseIterable {
        case ignoringScopes, ignoringVariants, keepingReplaced, decodingFields, keepingOldBody, updatingAnyID, addingOnUpdate, shortBodies
        case splittingChunksWrongly, singleUseBodies, showingUnfinished, keepingDropped, mixingBodies, removingVariants, removingByPrefix
        case keepingScopes, removingNothing, unbounded, forgettingOldestStored, takingTooLarge, failingOnceCancelled, hanging
    }

    fileprivate struct State {
        /// The stored responses in the order of their use, the most recent one last.
        var samples: [StoredResponse] = []
        var bodies: [String: Data] = [:]
        var isBroken = false
    }

    fileprivate let state = Locked(State())
    fileprivate let fault: Fault?
    private let capacity: Int

    init(_ fault: Fault? = nil, capacity: Int = 40_000_000) {
        self.fault = fault
        self.capacity = capacity
    }

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        if fault == .hanging { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        try check()
        return state.withLock { state in
            let found = state.samples.filter { isSame($0.key, key) }
            if fault != .forgettingOldestStored {
                state.samples.removeAll { isSame($0.key, key) }
                state.samples += found
            }
            return found.compactMap { response in
                state.bodies[response.id].map { CacheEntry(response: response, body: body($0, response.id)) }
            }
        }
    }

    private func body(_ data: Data, _ id: String) -> HTTPBody {
        switch fault {
        case .shortBodies: HTTPBody(data.count > 100_000 ? data.dropLast(1) : data)
        case .singleUseBodies: Self.once(data)
        case .mixingBodies:
            // Reads from the body that is stored at the time of each chunk.
            HTTPBody(length: Int64(data.count)) { () throws(HTTPError) in Reader(self, id, data.count) }
        default: HTTPBody(data)
        }
    }

    private static func once(_ data: Data) -> HTTPBody {
        let rest = Locked<Data?>(data.isEmpty ? nil : data)
        return HTTPBody(length: Int64(data.count)) {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    private final class Reader: HTTPBodyReader {
        private let store: DictionaryStore, id: String, count: Int
        private let offset = Locked(0)

        init(_ store: DictionaryStore, _ id: String, _ count: Int) {
            self.store = store
            self.id = id
            self.count = count
        }

        func next() async throws(HTTPError) -> Data? {
            let start = offset.withLock { offset in
                defer { offset += 10_000 }
                return offset
            }
            let body = store.state.withLock { $0.bodies[id] ?? Data() }
            return start < body.count ? body.subdata(in: start..<min(start + 10_000, body.count)) : nil
        }

        func cancel(_ reason: HTTPError) {}
    }

    private func check() throws(CacheStoreError) {
        if fault == .failingOnceCancelled, Task.isCancelled { state.withLock { $0.isBroken = true } }
        if state.withLock({ $0.isBroken }) { throw CacheStoreError(.failed, "broken") }
    }

    private func isSame(_ one: CacheKey, _ other: CacheKey) -> Bool {
        one.uri == other.uri && (fault == .ignoringScopes || one.scope == other.scope)
    }

    func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        try check()
        guard fault == .takingTooLarge || length ?? 0 <= capacity else { return nil }
        if fault == .showingUnfinished { keep(response, Data()) }
        return Writer(self, response)
    }

    private final class Writer: CacheWriter {
        private let store: DictionaryStore, response: StoredResponse
        private let bytes = Locked(Data())

        init(_ store: DictionaryStore, _ response: StoredResponse) {
            self.store = store
            self.response = response
        }

        deinit { if store.fault == .keepingDropped { store.keep(response, bytes.withLock { $0 }) } }

        func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
            try store.check()
            let count = bytes.withLock { bytes in
                if store.fault == .splittingChunksWrongly, chunk.count > 65_536 { bytes += chunk.prefix(65_536) } else { bytes += chunk }
                return bytes.count
            }
            return store.fault == .takingTooLarge || count <= store.capacity
        }

        func finish() async throws(CacheStoreError) {
            try store.check()
            store.keep(response, bytes.withLock { $0 })
        }
    }

    private func keep(_ response: StoredResponse, _ body: Data) {
        var response = response
        if fault == .decodingFields { response = response.with(decoded(response.headers)) }
        state.withLock { state in
            if fault != .keepingReplaced {
                let gone = state.samples.filter {
                    isSame($0.key, response.key) && (fault == .ignoringVariants || $0.variant == response.variant)
                }
                state.samples.removeAll { gone.contains($0) }
                if fault == .mixingBodies { for old in gone { state.bodies[old.id] = body } }
            }
            state.samples.append(response)
            state.bodies[response.id] = body
            guard fault != .unbounded, fault != .takingTooLarge else { return }
            var bytes = state.samples.reduce(0) { $0 + (state.bodies[$1.id]?.count ?? 0) }
            while bytes > capacity, !state.samples.isEmpty { bytes -= state.bodies[state.samples.removeFirst().id]?.count ?? 0 }
        }
    }

    private func decoded(_ headers: HTTPFields) -> HTTPFields {
        var decoded = HTTPFields()
        for line in headers { decoded.append(line.name, line.value) }
        return decoded
    }

    func update(_ response: StoredResponse) async throws(CacheStoreError) {
        try check()
        state.withLock { state in
            guard
                let index = state.samples.firstIndex(where: {
                    $0.key == response.key && (fault == .updatingAnyID || $0.id == response.id)
                })
            else {
                if fault == .addingOnUpdate { state.samples.append(response) }
                return
            }
            state.bodies[response.id] = fault == .keepingOldBody ? Data() : state.bodies[state.samples[index].id]
            state.samples[index] = response
        }
    }

    func remove(_ response: StoredResponse) async throws(CacheStoreError) {
        try check()
        state.withLock { state in
            state.samples.removeAll { $0.key == response.key && (fault == .removingVariants || $0.id == response.id) }
        }
    }

    func removeAll(for uri: String) async throws(CacheStoreError) {
        try check()
        state.withLock { state in
            state.samples.removeAll {
                (fault == .removingByPrefix ? $0.key.uri.hasPrefix(uri) : $0.key.uri == uri)
                    && (fault != .keepingScopes || $0.key.scope == "")
            }
        }
    }

    func removeAll() async throws(CacheStoreError) {
        try check()
        if fault != .removingNothing { state.withLock { $0.samples = [] } }
    }
}

extension StoredResponse {
    fileprivate func with(_ headers: HTTPFields) -> StoredResponse {
        StoredResponse(
            id: id, key: key, variant: variant, status: status, headers: headers, requestTime: requestTime, responseTime: responseTime,
            part: part, wasContentCoded: wasContentCoded, isInvalidated: isInvalidated)
    }
}
