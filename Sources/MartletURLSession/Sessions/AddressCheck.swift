internal import Dispatch
internal import Foundation
internal import MartletCore

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Looks up what a host's name means before a request is sent there, since URLSession does not say what it connects to.
///
/// It sees what the name means now. A name that means something else when URLSession looks it up, a moment later, is not noticed.
struct AddressCheck: Sendable {
    let policy: AddressPolicy
    /// The addresses of a name; nil when it has none. It may block.
    var lookup: @Sendable (String) -> [String]? = AddressCheck.addresses

    /// Throws `.addressRefused` when any of the host's addresses is refused, and `.networkError(.hostNotFound)` when it has none.
    func check(_ url: URL) async throws(HTTPError) {
        let host = url.host ?? ""
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let found = OneShot<Result<[String]?, HTTPError>>()
        // Away from the threads of tasks, of which there are few: a lookup can take its time, and can't be stopped.
        DispatchQueue.global().async { [lookup] in found.set(.success(lookup(name))) }
        let addresses = try await withTaskCancellationHandler {
            await found.value()
        } onCancel: {
            found.set(.failure(.cancelled(ErrorContext(stage: .connect))))
        }.get()
        guard let addresses, !addresses.isEmpty else {
            throw .networkError(NetworkFailure(.hostNotFound, context: ErrorContext(stage: .connect)))
        }
        if let why = addresses.lazy.compactMap({ policy.refusal(ofAddress: $0) }).first {
            throw .addressRefused(Explanation(why, context: ErrorContext(stage: .connect)))
        }
    }

    /// What the system's resolver says.
    private static func addresses(of name: String) -> [String]? {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            // What can't be written is refused like any other that is no address.
            addresses.append(code == 0 ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "")
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
