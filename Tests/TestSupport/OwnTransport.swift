package import MartletHTTP

#if os(Linux)
internal import MartletCurl
#else
internal import MartletURLSession
#endif

/// Creates a transport of the platform's type with its own connections.
///
/// For tests that count connections: `PlatformTransport` is shared by the process, keeps 128 idle connections in total, and closes those of
/// one test when others need the room.
package func ownTransport() -> any Transport {
    #if os(Linux)
    CurlTransport()
    #else
    URLSessionTransport()
    #endif
}
