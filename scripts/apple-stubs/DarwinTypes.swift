// Types of Apple's Darwin that have a function of the same name, which Swift allows only in another module: see Darwin.swift.

public struct stat {
    public var st_dev: Int32 = 0
    public var st_mode: UInt16 = 0
    public var st_nlink: UInt16 = 0
    public var st_ino: UInt64 = 0
    public var st_uid: UInt32 = 0
    public var st_size: Int64 = 0
    public init() {}
}
