// MartletOpenSSL: the one binding of the system's OpenSSL, loaded at run time, on Linux.
//
// - `OpenSSL`: libssl, for the server side of TLS. `CMartletOpenSSL` has the C functions that use it.
// - `OpenSSLDigest`: digests by libcrypto.
//
// On other systems it is empty. Imports: MartletSystem.
