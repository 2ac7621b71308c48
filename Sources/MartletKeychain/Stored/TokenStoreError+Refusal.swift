internal import MartletAuth
internal import MartletSystem

extension TokenStoreError {
    /// The error of a call that the store's lane refused.
    init(refusal: Lane.Refusal) {
        switch refusal {
        case .unresponsive: self = .unresponsive
        case .noThread: self = .failed(code: 0, "no thread could be started")
        }
    }
}
