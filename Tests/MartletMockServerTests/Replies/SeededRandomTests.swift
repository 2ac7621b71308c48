import Martlet
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct SeededRandomTests {
    @Test("Equal seeds give equal numbers, different seeds different ones, and the numbers are recorded")
    func seeds() {
        let one = SeededRandom(seed: 42)
        let numbers = (0..<100).map { _ in one.next() }
        var generator = SeededGenerator(seed: 42)
        #expect(numbers == (0..<100).map { _ in generator.next() } && one.draws == numbers)
        #expect(Set(numbers).count == 100 && SeededRandom(seed: 43).next() != numbers[0])
    }

    @Test("The numbers are those of SplitMix64, on every platform")
    func reference() {
        let random = SeededRandom(seed: 1_234_567)
        #expect([random.next(), random.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
    }

    @Test("Concurrent callers share one sequence")
    func concurrent() async {
        let random = SeededRandom(seed: 1)
        let numbers = await withTaskGroup(of: UInt64.self) { group in
            for _ in 0..<200 { group.addTask { random.next() } }
            return await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
        }
        #expect(numbers == Set(random.draws) && random.draws.count == 200)
    }

    @Test("A fraction is at least 0 and less than 1")
    func fractions() {
        struct Constant: RandomSource {
            let number: UInt64
            func next() -> UInt64 { number }
        }
        #expect(Constant(number: 0).fraction() == 0 && Constant(number: .max).fraction() < 1)
        #expect(Constant(number: 1 << 63).fraction() == 0.5)
        let system: any RandomSource = .system
        #expect(Set((0..<20).map { _ in system.next() }).count == 20)
    }
}
