internal import MartletHTTP

/// Opens the files of requests before these requests take a connection's place.
///
/// A file system that hangs delays only requests with files: those to the same origin, and all if it keeps every lane (``FileLanes``).
///
/// Only the engine's thread touches it. The limits on connections, per origin and in all, also limit the files that are opened ahead, so that
/// descriptors stay bounded.
final class FileOpenings {
    /// Where a transfer's file stands; a transfer without a file, or whose file nothing is done for, has none.
    enum Stage {
        case waiting(Admission<Transfer>.Ticket)
        /// Being opened, or open.
        case begun
    }

    private let line: Admission<Transfer>
    private let inbox: EngineInbox

    init(_ configuration: CurlTransport.Configuration, inbox: EngineInbox) {
        line = Admission(perOrigin: configuration.maxConnectionsPerOrigin, total: configuration.maxConnections)
        self.inbox = inbox
    }

    /// Whether a transfer has to wait for its file. `.opened` is posted when it no longer has to; it is then not held again.
    func holds(_ transfer: Transfer) -> Bool {
        guard transfer.file != nil, transfer.opening == nil else { return false }
        if let ticket = line.enter(transfer.origin, transfer) {
            transfer.opening = .waiting(ticket)
        } else {
            open(transfer)
        }
        return true
    }

    /// A transfer has a connection's place, or has ended: its place here is the next one's.
    func leave(_ transfer: Transfer) {
        switch transfer.opening.take() {
        case .waiting(let ticket)?: line.abandon(ticket)
        case .begun?: line.leave(transfer.origin)
        case nil: return
        }
        while let next = line.next() { open(next) }
    }

    /// On the file's own lane: it may take as long as a file system does.
    private func open(_ transfer: Transfer) {
        transfer.opening = .begun
        transfer.file?.open { [inbox] in
            inbox.post(.resumeSending(transfer))
        } ready: { [inbox] error in
            inbox.post(.opened(transfer, error))
        }
    }
}
