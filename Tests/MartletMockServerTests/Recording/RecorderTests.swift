import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecorderTests {
    @Test("Values keep their order, and none is lost when many tasks append")
    func concurrent() async {
        let recorder = Recorder<Int>()

        await withTaskGroup { group in
            for number in 0..<200 { group.addTask { recorder.append(number) } }
        }

        #expect(recorder.count == 200)
        #expect(Set(recorder.values) == Set(0..<200))
    }

    @Test("A request for fewer than zero values returns none")
    func negative() async throws {
        #expect(try await Recorder<Int>().first(-1) == [])
    }

    @Test("A value that exists is returned without waiting")
    func present() async throws {
        let recorder = Recorder<String>()
        recorder.append("a")
        recorder.append("b")

        #expect(try await recorder.value(at: 1) == "b")
        #expect(try await recorder.first(2) == ["a", "b"])
    }

    @Test("All tasks that wait for a value resume when it is appended")
    func waiting() async throws {
        let recorder = Recorder<Int>()
        let waiters = (0..<20).map { index in Task { try await recorder.value(at: index % 4) } }

        for number in 0..<4 { recorder.append(number) }

        for (index, waiter) in waiters.enumerated() { #expect(try await waiter.value == index % 4) }
    }

    @Test("A cancelled wait throws, and others continue")
    func cancelled() async throws {
        let recorder = Recorder<Int>()
        let cancelled = Task { try await recorder.value(at: 0) }
        let patient = Task { try await recorder.value(at: 0) }

        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        recorder.append(7)

        #expect(try await patient.value == 7)
    }
}
