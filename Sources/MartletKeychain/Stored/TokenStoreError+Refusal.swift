internal import MartletAuth
internal import MartletSystem

extension TokenStoreError {
    /// Creates the error of a call that the store's lane rejected.
    init(refusal: Lane.Refusal) {
        switch refusal {
        case .unresponsive: self = .unresponsive
        case .noThread: self = .failed(code: 0, "the thread for the call could not be started")
        }
    }
}
