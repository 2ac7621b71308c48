// MartletEssentials: the part of Foundation that every platform has, under one name.
//
// On Linux it is FoundationEssentials, without which a program is far larger and slower to start; on Apple's platforms it is Foundation.
// The other targets import this one instead, so that the choice is made once. Only those over URLSession need all of Foundation.
//
// Imports: nothing of Martlet.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
