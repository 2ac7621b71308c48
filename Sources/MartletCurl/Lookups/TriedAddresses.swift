internal import CMartletCurl
internal import MartletHTTP

/// The addresses that a transfer tried, checked against the policy of its request.
struct TriedAddresses {
    /// Why the last refused address may not be connected to.
    private var refusal: String?
    /// Whether the policy allowed an address.
    private var mayReachOne = false

    /// Whether the request may be sent to an address. Nil means that the connection has no IP address.
    mutating func allows(_ address: IPAddress?, by policy: AddressPolicy?) -> Bool {
        guard let policy else { return true }
        guard let address else {
            refusal = "the connection has no IP address that the address policy could check"
            return false
        }
        guard let why = policy.refusal(of: address) else {
            mayReachOne = true
            return true
        }
        refusal = why
        return false
    }

    /// Returns why no address could be reached, if the policy refused all of them. A host with an allowed address is merely unreachable.
    func refusal(after code: Int) -> String? {
        switch code {
        case CURLE_ABORTED_BY_CALLBACK.code: refusal
        case CURLE_COULDNT_CONNECT.code: mayReachOne ? nil : refusal
        default: nil
        }
    }
}
