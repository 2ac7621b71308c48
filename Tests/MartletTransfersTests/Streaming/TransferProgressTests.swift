import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct TransferProgressTests {
    @Test("The completed part and the remaining time are computed when they can be known")
    func computed() {
        let half = TransferProgress(bytes: 50, total: 100, rate: 25)
        #expect(half.fraction == 0.5 && half.timeLeft == .seconds(2))
        #expect(TransferProgress(bytes: 50, total: nil, rate: 25).fraction == nil)
        #expect(TransferProgress(bytes: 50, total: 100, rate: 0).timeLeft == nil)
        #expect(TransferProgress(bytes: 0, total: 0).fraction == 1)
        #expect(TransferProgress(bytes: 150, total: 100, rate: 1).timeLeft == .zero)
    }

    @Test("The rate covers only the last five seconds")
    func rate() {
        let start = ManualTime().instant
        var meter = RateMeter()
        meter.add(0, at: start)
        #expect(meter.rate == nil)
        for second in 1...20 { meter.add(Int64(second) * 1000, at: start + .seconds(second)) }
        #expect(meter.rate == 1000)
        for second in 21...26 { meter.add(20_000 + Int64(second - 20) * 10, at: start + .seconds(second)) }
        #expect(meter.rate == 10)
        meter.add(5, at: start + .seconds(27))
        #expect(meter.rate == nil, "fewer bytes than before begin anew")
    }

    @Test("The meter keeps few samples, regardless of the number of updates")
    func bounded() {
        let start = ManualTime().instant
        var meter = RateMeter()
        for step in 0..<100_000 { meter.add(Int64(step), at: start + .microseconds(step * 100)) }
        #expect(meter.sampleCount < 60 && abs((meter.rate ?? 0) - 10_000) < 500)
    }

    @Test("Progress is reported at the beginning and the end, and in between at most once in each interval")
    func reporter() {
        let time = ManualTime(), seen = Locked<[Int64]>([])
        let reporter = ProgressReporter(interval: .seconds(1), time: time) { progress in seen.withLock { $0.append(progress.bytes) } }
        reporter.begin(at: 5, of: 100)
        for _ in 0..<9 {
            time.advance(by: .milliseconds(300))
            reporter.add(10)
        }
        reporter.add(5)
        reporter.end()
        #expect(seen.withLock { $0 } == [5, 45, 85, 100])
    }

    @Test("A transfer of unknown length is complete at its end")
    func unknown() {
        let seen = Locked<[TransferProgress]>([])
        let reporter = ProgressReporter(interval: .seconds(1), time: ManualTime()) { progress in seen.withLock { $0.append(progress) } }
        reporter.begin(at: 0, of: nil)
        reporter.add(7)
        reporter.end()
        #expect(seen.withLock { $0 } == [TransferProgress(bytes: 0, total: nil), TransferProgress(bytes: 7, total: 7)])
    }

    @Test("Each state is reported once, however short the interval")
    func once() {
        let seen = Locked<[Int64]>([])
        let reporter = ProgressReporter(interval: .zero, time: ManualTime()) { progress in seen.withLock { $0.append(progress.bytes) } }
        reporter.begin(at: 0, of: 10)
        reporter.add(4)
        reporter.add(6)
        reporter.end()
        #expect(seen.withLock { $0 } == [0, 4, 10])
    }
}
