// Martlet: everything that an app needs: the libraries below without the optional stores.
//
// - `PlatformTransport`: the platform's transport, and the client and the `OTLPExporter` over it.
// - `StandardInterceptors`: the interceptors of an app in their order.
//
// Imports: the libraries that it re-exports, and MartletCurl or MartletURLSession. Start with `HTTPClient.init`.

@_exported public import MartletAuth
@_exported public import MartletCache
@_exported public import MartletClient
@_exported public import MartletCookies
@_exported public import MartletHAR
@_exported public import MartletObservation
@_exported public import MartletResilience
@_exported public import MartletTransfers
