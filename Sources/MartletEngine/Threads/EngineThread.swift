internal import CMartletEngine

/// The engine whose thread is the calling one.
package enum EngineThread {
    /// Returns the engine if it is of exactly this class, and nil on other threads. A cast would cost ten times as much.
    package static func current<Engine: AnyObject>(_ type: Engine.Type) -> Engine? {
        guard let address = cengine_thread_engine() else { return nil }
        let engine = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
        return Swift.type(of: engine) == type ? unsafeDowncast(engine, to: type) : nil
    }

    /// Records the engine of the calling thread, which must keep it until it records nil.
    package static func set(_ engine: AnyObject?) {
        cengine_set_thread_engine(engine.map { Unmanaged.passUnretained($0).toOpaque() })
    }

    /// Stops the calling thread forever. Its locks and memory stay as they are.
    package static func park() -> Never { cengine_park_thread() }
}
