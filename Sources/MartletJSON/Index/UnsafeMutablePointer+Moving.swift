extension UnsafeMutablePointer {
    /// Moves the first `count` values to memory of another capacity, frees the old memory and returns the new one.
    @inline(never)
    func moved(_ count: Int, to capacity: Int) -> UnsafeMutablePointer {
        let memory = UnsafeMutablePointer.allocate(capacity: capacity)
        memory.moveInitialize(from: self, count: count)
        deallocate()
        return memory
    }
}
