// MartletKeychain: the platform's token stores: the Keychain on Apple platforms, and the Secret Service on Linux.
//
// - Platform: `SystemTokenStore`, the store of the current platform.
// - Keychain, SecretService: the two stores.
// - Stored: the stored form of a token.
//
// Imports: MartletAuth, and CMartletKeychain on Linux. Start with `SystemTokenStore`.
