// Stands in for Apple's Darwin where MartletCore is type-checked for Apple's platforms without their SDK: the few declarations that
// it uses, with the types they have there. Never linked, never run.

public typealias mode_t = UInt16
public typealias off_t = Int64

public var O_RDONLY: Int32 { 0x0000 }
public var O_NONBLOCK: Int32 { 0x0004 }
public var O_CLOEXEC: Int32 { 0x0100_0000 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var SEEK_SET: Int32 { 0 }

public var errno: Int32 {
    get { 0 }
    set {}
}

public struct stat {
    public var st_mode: mode_t = 0
    public var st_size: off_t = 0
    public init() {}
}

@discardableResult public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
@discardableResult public func close(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int { 0 }
@discardableResult public func lseek(_ descriptor: Int32, _ offset: off_t, _ whence: Int32) -> off_t { 0 }
@discardableResult public func fstat(_ descriptor: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 { -1 }
@discardableResult public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { nil }
