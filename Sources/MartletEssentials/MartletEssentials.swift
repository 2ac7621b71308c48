// MartletEssentials: the part of Foundation that every platform has, as one import, what its versions do differently, and civil dates.
//
// On Linux it is FoundationEssentials: all of Foundation makes a program far larger and slower to start. On Apple platforms it is
// Foundation. The other targets import this one, so that only this file chooses. Only the targets over URLSession need all of Foundation.
//
// Imports: no other target of Martlet.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
