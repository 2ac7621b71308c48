internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

extension EasyOptions {
    /// Offers `certificate` to a server that requests one. Nil offers none.
    ///
    /// libcurl shares a kept-alive connection or TLS session only between transfers with the same certificate. In one transport a host
    /// always has the same identity or none, so all connections to it are of one kind.
    func set(_ certificate: ClientCertificate?) {
        switch certificate {
        case .pem(let certificates, let key, let password):
            setIdentity(type: "PEM", certificates, key: key, password: password)
        case .pkcs12(let archive, let password):
            setIdentity(type: "P12", archive, key: nil, password: password)
        default:
            setIdentity(type: nil, nil, key: nil, password: nil)
        }
    }

    private func setIdentity(type: String?, _ certificate: Data?, key: Data?, password: String?) {
        set(CURLOPT_SSLCERTTYPE, string: type)
        setBytes(CURLOPT_SSLCERT_BLOB, certificate)
        set(CURLOPT_SSLKEYTYPE, string: key == nil ? nil : type)
        setBytes(CURLOPT_SSLKEY_BLOB, key)
        set(CURLOPT_KEYPASSWD, string: password)
    }

    private func setBytes(_ option: some FixedWidthInteger, _ bytes: Data?) {
        if let bytes { set(option, bytes: bytes) } else { set(option, pointer: nil) }
    }
}
