package import MartletEssentials
package import MartletHTTP
internal import MartletSystem

extension ByteConnection {
    /// Sends all bytes, and returns when the system has accepted them. Cancellation closes the connection.
    package func write(_ bytes: Data) async throws(HTTPError) {
        let written = OneShot<HTTPError?>()
        let error: HTTPError? = await withTaskCancellationHandler {
            if write(bytes, then: { written.set($0) }) { return nil }
            return await written.value()
        } onCancel: {
            close()
        }
        if let error { throw error }
    }
}
