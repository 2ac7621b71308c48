import MartletSystem
import Testing

@Suite("Values that are copied when they change", .timeLimit(.minutes(5)))
struct CopyOnWriteTests {
    @Test("A copy shares its value until one of them changes, and the other keeps its value")
    func sharing() {
        let original = CopyOnWrite(["a"])
        var copy = original
        #expect(copy.isIdentical(to: original))
        copy.change { $0.append("b") }
        #expect(!copy.isIdentical(to: original))
        #expect(original.content == ["a"] && copy.content == ["a", "b"])
    }

    @Test("A value with one owner is changed without a copy")
    func oneOwner() {
        var box = CopyOnWrite([1, 2, 3])
        box.change { $0.reserveCapacity(100) }
        let before = box.content.withUnsafeBufferPointer { $0.baseAddress }
        box.change { $0.append(4) }
        #expect(box.content.withUnsafeBufferPointer { $0.baseAddress } == before)
    }
}
