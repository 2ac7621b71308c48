import MartletHTTP
import MartletSystem
import Testing

@testable import MartletURLSession

@Suite("TaskPause", .timeLimit(.minutes(5)))
struct TaskPauseTests {
    @Test("A task is suspended once and resumed once")
    func once() {
        let pause = TaskPause()
        var acts: [Bool] = []
        for isWanted in [false, true, true, false, false, true] {
            pause.settle {
                isWanted
            } act: {
                acts.append($0)
            }
        }
        #expect(acts == [true, false, true])
    }

    @Test("A reader that takes everything while the writer is about to suspend leaves the task running")
    func race() async {
        for _ in 0..<200 {
            let pause = TaskPause()
            let isFull = Locked(false)
            let task = Locked((suspensions: 0, isSuspended: false))
            @Sendable func settle() {
                pause.settle {
                    isFull.withLock { $0 }
                } act: { suspend in
                    task.withLock { $0 = ($0.suspensions + (suspend ? 1 : -1), suspend) }
                }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<20 {
                        isFull.withLock { $0 = true }
                        settle()
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        isFull.withLock { $0 = false }
                        settle()
                    }
                }
            }
            let wanted = isFull.withLock { $0 }
            #expect(task.withLock { $0.isSuspended == wanted && $0.suspensions == (wanted ? 1 : 0) })
        }
    }
}
