internal import MartletEssentials

extension MockServer.TLS {
    /// A certificate for `localhost`, 127.0.0.1 and ::1 with its key, valid until 2126, for tests that need https.
    ///
    /// Its key is public, because it is in this package's source. Trust the ``certificate`` only in a client under test. It can't sign
    /// other certificates.
    public static var localhost: Self { Self(certificate: Data(localhostCertificate.utf8), privateKey: Data(localhostKey.utf8)) }
}

// Created with OpenSSL 3.0: `openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt` for the key, and
// `openssl ca -selfsign -startdate 20200101000000Z -enddate 21260101000000Z` for the certificate, with the extensions
// basicConstraints=critical,CA:FALSE, subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1, keyUsage=critical,digitalSignature and
// extendedKeyUsage=serverAuth.
private let localhostCertificate = """
    -----BEGIN CERTIFICATE-----
    MIIBzzCCAXWgAwIBAgIBATAKBggqhkjOPQQDAjAtMSswKQYDVQQDDCJNYXJ0bGV0
    IE1vY2tTZXJ2ZXIsIGZvciB0ZXN0cyBvbmx5MCAXDTIwMDEwMTAwMDAwMFoYDzIx
    MjYwMTAxMDAwMDAwWjAtMSswKQYDVQQDDCJNYXJ0bGV0IE1vY2tTZXJ2ZXIsIGZv
    ciB0ZXN0cyBvbmx5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjffK9FS9LfBb
    VosAylS2CF3ZSGLFimtPWMkEA1KoJ7GNu873nXtMyAL3YdoEFUr/KAeoJc6re36A
    8U920JmYjaOBgzCBgDAMBgNVHRMBAf8EAjAAMCwGA1UdEQQlMCOCCWxvY2FsaG9z
    dIcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0l
    BAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFKa9JwJRTBZndQuY7EPIBD08MMs5MAoG
    CCqGSM49BAMCA0gAMEUCIBcieBWt7RzCRewpJg/zK+3G53Op9DQsdIqFrEk24wBV
    AiEA/q+yyBywT/ok8f5vZaTnlbzMD63BTWjpltz4yDuhrgA=
    -----END CERTIFICATE-----
    """

private let localhostKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUWKB5TQzVUqRvD+m
    hBhBLnl13OWhyUQQraRN/SvUT2+hRANCAASN98r0VL0t8FtWiwDKVLYIXdlIYsWK
    a09YyQQDUqgnsY27zvede0zIAvdh2gQVSv8oB6glzqt7foDxT3bQmZiN
    -----END PRIVATE KEY-----
    """
