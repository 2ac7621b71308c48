// All an app needs: the core, and initialisers that pick the platform's transport.
@_exported public import MartletCore
