// Replaces Apple's Darwin when Martlet is type-checked for Apple's platforms without their SDK. It has only the declarations that Martlet
// uses, with their types on Apple's platforms. They are never linked or run.

@_exported public import DarwinTypes

public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias uid_t = UInt32

public var O_RDONLY: Int32 { 0x0000 }
public var O_WRONLY: Int32 { 0x0001 }
public var O_RDWR: Int32 { 0x0002 }
public var O_NONBLOCK: Int32 { 0x0004 }
public var O_NOFOLLOW: Int32 { 0x0100 }
public var O_CREAT: Int32 { 0x0200 }
public var O_EXCL: Int32 { 0x0800 }
public var O_DIRECTORY: Int32 { 0x0010_0000 }
public var O_CLOEXEC: Int32 { 0x0100_0000 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var SEEK_SET: Int32 { 0 }
public var LOCK_EX: Int32 { 0x02 }
public var LOCK_NB: Int32 { 0x04 }

public var F_FULLFSYNC: Int32 { 51 }

public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var EACCES: Int32 { 13 }
public var EEXIST: Int32 { 17 }
public var ENOTDIR: Int32 { 20 }
public var EISDIR: Int32 { 21 }
public var EINVAL: Int32 { 22 }
public var EFBIG: Int32 { 27 }
public var ENOSPC: Int32 { 28 }
public var EROFS: Int32 { 30 }
public var ENOTSUP: Int32 { 45 }
public var ELOOP: Int32 { 62 }
public var ENAMETOOLONG: Int32 { 63 }
public var ENOTEMPTY: Int32 { 66 }
public var EDQUOT: Int32 { 69 }
public var ENOSYS: Int32 { 78 }
public var EAFNOSUPPORT: Int32 { 47 }
public var EADDRNOTAVAIL: Int32 { 49 }
public var ENETDOWN: Int32 { 50 }
public var ENETUNREACH: Int32 { 51 }
public var EHOSTUNREACH: Int32 { 65 }
public var EPROTO: Int32 { 100 }
public var EOPNOTSUPP: Int32 { 102 }

public var errno: Int32 {
    get { 0 }
    set {}
}

@discardableResult public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
@discardableResult public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func close(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int { 0 }
@discardableResult public func lseek(_ descriptor: Int32, _ offset: off_t, _ whence: Int32) -> off_t { 0 }
@discardableResult public func fstat(_ descriptor: Int32, _ status: UnsafeMutablePointer<DarwinTypes.stat>!) -> Int32 { -1 }
@discardableResult public func stat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<DarwinTypes.stat>!) -> Int32 { -1 }
@discardableResult public func lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<DarwinTypes.stat>!) -> Int32 { -1 }
@discardableResult public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { -1 }
@discardableResult public func pread(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t) -> Int { -1 }
@discardableResult public func pwrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int { -1 }
@discardableResult public func ftruncate(_ descriptor: Int32, _ length: off_t) -> Int32 { -1 }
@discardableResult public func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { -1 }
@discardableResult public func fsync(_ descriptor: Int32) -> Int32 { -1 }
@discardableResult public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 { -1 }
@discardableResult public func link(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 { -1 }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { -1 }
public func geteuid() -> uid_t { 0 }
@discardableResult public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { nil }

// Further declarations for MartletMockServer.

public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public typealias socklen_t = UInt32
public typealias nfds_t = UInt32
public typealias pthread_t = OpaquePointer

public var AF_INET: Int32 { 2 }
public var AF_INET6: Int32 { 30 }
public var MSG_PEEK: Int32 { 0x2 }
public var MSG_DONTWAIT: Int32 { 0x80 }
public var SOCK_STREAM: Int32 { 1 }
public var SOCK_DGRAM: Int32 { 2 }
public var SOL_SOCKET: Int32 { 0xFFFF }
public var SO_SNDBUF: Int32 { 0x1001 }
public var SO_LINGER: Int32 { 0x0080 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var IPPROTO_TCP: Int32 { 6 }
public var TCP_NODELAY: Int32 { 1 }
public var SHUT_RD: Int32 { 0 }
public var SHUT_WR: Int32 { 1 }
public var SHUT_RDWR: Int32 { 2 }
public var F_GETFL: Int32 { 3 }
public var F_SETFL: Int32 { 4 }
public var F_SETFD: Int32 { 2 }
public var FD_CLOEXEC: Int32 { 1 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var EINTR: Int32 { 4 }
public var POLLIN: Int32 { 0x0001 }
public var POLLOUT: Int32 { 0x0004 }
public var POLLERR: Int32 { 0x0008 }
public var POLLHUP: Int32 { 0x0010 }
public var POLLNVAL: Int32 { 0x0020 }

public struct sockaddr {
    public var sa_len: UInt8 = 0
    public var sa_family: sa_family_t = 0
    public init() {}
}

public struct in_addr {
    public var s_addr: in_addr_t = 0
    public init() {}
}

public struct sockaddr_in {
    public var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr = in_addr()
    public init() {}
}

public struct in6_addr {
    public init() {}
}

public struct sockaddr_in6 {
    public var sin6_len: UInt8 = 0
    public var sin6_family: sa_family_t = 0
    public var sin6_port: in_port_t = 0
    public var sin6_addr = in6_addr()
    public init() {}
}

public var in6addr_loopback: in6_addr { in6_addr() }

public struct linger {
    public var l_onoff: Int32
    public var l_linger: Int32
    public init(l_onoff: Int32, l_linger: Int32) {
        self.l_onoff = l_onoff
        self.l_linger = l_linger
    }
}

public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init(fd: Int32, events: Int16, revents: Int16) {
        self.fd = fd
        self.events = events
        self.revents = revents
    }
}

public struct pthread_attr_t { public init() {} }

public func socket(_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { -1 }
@discardableResult public func bind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 { -1 }
@discardableResult public func connect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32 { -1 }
@discardableResult public func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { -1 }
@discardableResult public func accept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { -1 }
@discardableResult public func getsockname(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { -1 }
@discardableResult public func setsockopt(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32 { -1 }
@discardableResult public func recv(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32) -> Int { -1 }
@discardableResult public func send(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int { -1 }
@discardableResult public func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { -1 }
@discardableResult public func shutdown(_ descriptor: Int32, _ how: Int32) -> Int32 { -1 }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { -1 }
@discardableResult public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
@discardableResult public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
@discardableResult public func poll(_ polled: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32) -> Int32 { -1 }
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { -1 }
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { -1 }
public func memchr(_ bytes: UnsafeRawPointer!, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer! { nil }
public func memcmp(_ left: UnsafeRawPointer!, _ right: UnsafeRawPointer!, _ count: Int) -> Int32 { 0 }

// Further declarations for name lookups in MartletURLSession.

public var AF_UNSPEC: Int32 { 0 }
public var NI_MAXHOST: Int32 { 1025 }
public var NI_NUMERICHOST: Int32 { 2 }

public struct addrinfo {
    public var ai_flags: Int32 = 0
    public var ai_family: Int32 = 0
    public var ai_socktype: Int32 = 0
    public var ai_protocol: Int32 = 0
    public var ai_addrlen: socklen_t = 0
    public var ai_canonname: UnsafeMutablePointer<CChar>?
    public var ai_addr: UnsafeMutablePointer<sockaddr>?
    public var ai_next: UnsafeMutablePointer<addrinfo>?
    public init() {}
}

@discardableResult public func getaddrinfo(
    _ name: UnsafePointer<CChar>!, _ service: UnsafePointer<CChar>!, _ hints: UnsafePointer<addrinfo>!,
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>!
) -> Int32 { -1 }
public func freeaddrinfo(_ list: UnsafeMutablePointer<addrinfo>!) {}
@discardableResult public func getnameinfo(
    _ address: UnsafePointer<sockaddr>!, _ length: socklen_t, _ host: UnsafeMutablePointer<CChar>!, _ hostLength: socklen_t,
    _ service: UnsafeMutablePointer<CChar>!, _ serviceLength: socklen_t, _ flags: Int32
) -> Int32 { -1 }

public typealias pid_t = Int32
public typealias useconds_t = UInt32

public var F_OK: Int32 { 0 }
public var W_OK: Int32 { 2 }
public var X_OK: Int32 { 1 }
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: UInt16) -> Int32 { -1 }
@discardableResult public func rmdir(_ path: UnsafePointer<CChar>!) -> Int32 { -1 }
public func exit(_ status: Int32) -> Never { fatalError() }
public var RTLD_NOW: Int32 { 2 }
public var RTLD_LOCAL: Int32 { 4 }

@discardableResult public func getpid() -> pid_t { 0 }
@discardableResult public func usleep(_ microseconds: useconds_t) -> Int32 { 0 }
@discardableResult public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { -1 }
@discardableResult public func dlopen(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> UnsafeMutableRawPointer! { nil }
@discardableResult public func dlsym(_ handle: UnsafeMutableRawPointer!, _ name: UnsafePointer<CChar>!) -> UnsafeMutableRawPointer! { nil }
@discardableResult public func dlclose(_ handle: UnsafeMutableRawPointer?) -> Int32 { 0 }
public func dlerror() -> UnsafeMutablePointer<CChar>! { nil }
public func getenv(_ name: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { nil }
public func getuid() -> UInt32 { 0 }
@discardableResult public func atexit(_ function: @convention(c) () -> Void) -> Int32 { 0 }
public func getgid() -> UInt32 { 0 }
public func getegid() -> UInt32 { 0 }

// Further declarations for MartletRedis.

public var AF_UNIX: Int32 { 1 }
public var AI_NUMERICHOST: Int32 { 0x0000_0004 }
public var AI_NUMERICSERV: Int32 { 0x0000_1000 }
public var SO_ERROR: Int32 { 0x1007 }
public var EINPROGRESS: Int32 { 36 }

public struct sockaddr_un {
    public var sun_len: UInt8 = 0
    public var sun_family: sa_family_t = 0
    // 104 bytes.
    public var sun_path: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
    public init() {}
}

@discardableResult public func getsockopt(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeMutableRawPointer!, _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { -1 }

// Declarations used by Martlet's own threads and socket pairs.

public typealias sigset_t = UInt32

public var SIGILL: Int32 { 4 }
public var SIGTRAP: Int32 { 5 }
public var SIGABRT: Int32 { 6 }
public var SIGFPE: Int32 { 8 }
public var SIGBUS: Int32 { 10 }
public var SIGSEGV: Int32 { 11 }
public var SIGSYS: Int32 { 12 }
public var SIG_SETMASK: Int32 { 3 }

@discardableResult public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { 0 }
@discardableResult public func sigdelset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 { 0 }
@discardableResult public func pthread_sigmask(
    _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ before: UnsafeMutablePointer<sigset_t>!
) -> Int32 { 0 }
@discardableResult public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { 0 }
@discardableResult public func socketpair(
    _ domain: Int32, _ type: Int32, _ protocol: Int32, _ ends: UnsafeMutablePointer<Int32>!
) -> Int32 { -1 }
