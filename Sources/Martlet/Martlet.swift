// All an app needs: the libraries below without the optional stores, the platform's transport and `StandardInterceptors`.
@_exported public import MartletAuth
@_exported public import MartletCache
@_exported public import MartletClient
@_exported public import MartletInterceptors
@_exported public import MartletTransfers
