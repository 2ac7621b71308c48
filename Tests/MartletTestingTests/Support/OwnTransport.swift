import MartletCore

#if os(Linux)
import MartletCurl
#else
import MartletURLSession
#endif

/// A transport of the platform's kind whose connections are its own.
///
/// For tests that count connections: `PlatformTransport` is the whole process's, keeps 128 idle connections in all, and closes those
/// of one test when others need the room.
func ownTransport() -> any Transport {
    #if os(Linux)
    CurlTransport()
    #else
    URLSessionTransport()
    #endif
}
