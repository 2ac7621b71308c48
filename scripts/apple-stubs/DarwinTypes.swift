// Types of Apple's Darwin that share their name with a function, which Swift allows only in separate modules: see Darwin.swift.

public struct stat {
    public var st_dev: Int32 = 0
    public var st_mode: UInt16 = 0
    public var st_nlink: UInt16 = 0
    public var st_ino: UInt64 = 0
    public var st_uid: UInt32 = 0
    public var st_size: Int64 = 0
    public init() {}
}
