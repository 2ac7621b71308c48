// What has tokens in it shows none to `dump` and to debuggers' descriptions.

extension AuthInterceptor: CustomReflectable, RedactedReflection {}

extension StaticTokenProvider: CustomReflectable, RedactedReflection {}

extension StoredTokenProvider: CustomReflectable, RedactedReflection {}

extension InMemoryTokenStore: CustomReflectable, RedactedReflection {}
