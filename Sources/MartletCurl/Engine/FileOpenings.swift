internal import MartletEngine
internal import MartletHTTP

/// Opens the files of requests before these requests take up a connection.
///
/// A file system that hangs delays only requests with files: those to the same origin, and all if it blocks every lane (``FileLanes``).
///
/// Only the thread of the transport's first engine accesses it, and opens the files for all engines. The limits on connections, per origin
/// and in total, also limit the number of files opened ahead, so that the number of descriptors stays bounded.
final class FileOpenings {
    /// The state of a transfer's file. A transfer without a file, or whose file is neither waiting nor open here, has none.
    enum Stage {
        case waiting(Admission.Ticket)
        /// The file is being opened, or is open.
        case begun
    }

    private let line: Admission
    private let inbox: EngineInbox

    init(_ configuration: CurlTransport.Configuration, inbox: EngineInbox) {
        line = Admission(EngineDeal(engines: 1, perOrigin: configuration.maxConnectionsPerOrigin, total: configuration.maxConnections))
        self.inbox = inbox
    }

    /// Whether a transfer has to wait for its file. `.opened` is posted when the wait ends, and the transfer is then not held again.
    func holds(_ transfer: CurlTransfer) -> Bool {
        guard transfer.file != nil, transfer.opening == nil else { return false }
        switch line.enter(transfer.origin, transfer) {
        case .waiting(let ticket): transfer.opening = .waiting(ticket)
        case .admitted: open(transfer)
        }
        return true
    }

    /// Frees the place of a transfer that has a connection or has ended, and opens the next files.
    func leave(_ transfer: CurlTransfer) {
        switch transfer.opening.take() {
        case .waiting(let ticket)?: line.abandon(ticket)
        case .begun?: line.leave(transfer.origin, on: 0)
        case nil: return
        }
        while let next = line.next() { open(unsafeDowncast(next.item, to: CurlTransfer.self)) }
    }

    /// Opens the file on its own lane, because a file system may block for any time.
    private func open(_ transfer: CurlTransfer) {
        transfer.opening = .begun
        transfer.file?.open {
            transfer.inbox?.post(.resumeSending(transfer))
        } ready: { [inbox] error in
            inbox.post(.opened(transfer, error))
        }
    }
}
