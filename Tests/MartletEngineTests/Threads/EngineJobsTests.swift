import MartletSystem
import Testing

@testable import MartletEngine

@Suite("EngineJobs", .timeLimit(.minutes(5)))
struct EngineJobsTests {
    /// Keeps the jobs of tasks until the test runs them.
    private final class Holding: TaskExecutor, JobRunner {
        let held = Locked<[UnownedJob]>([])
        let ran = Locked(0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            held.withLock { $0.append(job) }
        }

        func run(_ job: UnownedJob) {
            ran.withLock { $0 += 1 }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }

        /// Moves the held jobs to `jobs`.
        func move(to jobs: EngineJobs) {
            let all = held.withLock { held in
                defer { held = [] }
                return held
            }
            for job in all { jobs.append(EngineJob(job: job, runner: self)) }
        }
    }

    @Test("The jobs of a round are limited, and the others run in the next rounds in their order")
    func rounds() {
        let holding = Holding(), jobs = EngineJobs(), order = Locked<[Int]>([])
        let count = EngineJobs.perRound * 2 + 10
        for number in 0..<count { Task(executorPreference: holding) { order.withLock { $0.append(number) } } }
        holding.move(to: jobs)
        for expected in [EngineJobs.perRound, EngineJobs.perRound * 2, count] {
            #expect(jobs.run { true } && order.withLock { $0.count } == expected && jobs.count == count - expected)
        }
        #expect(order.withLock { $0 } == Array(0..<count))
        #expect(jobs.isEmpty && !jobs.run { true })
    }

    @Test("Jobs that a job queues run in the same round, within its limit")
    func queued() {
        let holding = Holding(), jobs = EngineJobs(), mayEnd = Locked(false)
        Task(executorPreference: holding) { while !mayEnd.withLock({ $0 }) { await Task.yield() } }
        holding.move(to: jobs)
        func runRound() -> Bool {
            jobs.run {
                holding.move(to: jobs)
                return true
            }
        }
        #expect(runRound() && holding.ran.withLock { $0 } == EngineJobs.perRound && jobs.count == 1)
        mayEnd.withLock { $0 = true }
        #expect(runRound() && holding.ran.withLock { $0 } < EngineJobs.perRound + 5 && jobs.isEmpty)
    }

    @Test("A round can be stopped after any job, and the rest runs later")
    func stopped() {
        let holding = Holding(), jobs = EngineJobs(), ran = Locked(0)
        for _ in 0..<5 { Task(executorPreference: holding) { ran.withLock { $0 += 1 } } }
        holding.move(to: jobs)
        #expect(jobs.run { ran.withLock { $0 < 2 } } && ran.withLock { $0 } == 2 && jobs.count == 3)
        #expect(jobs.run { true } && ran.withLock { $0 } == 5)
    }

    @Test("Executors are released after their last job")
    func releases() {
        weak var executor: Holding?
        let jobs = EngineJobs()
        do {
            let holding = Holding()
            executor = holding
            Task(executorPreference: holding) {}
            holding.move(to: jobs)
        }
        #expect(executor != nil)
        #expect(jobs.run { true } && executor == nil)
    }
}
