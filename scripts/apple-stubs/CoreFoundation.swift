// Stands in for Apple's Core Foundation: the few declarations that are used. Where Apple's compiler bridges classes, these are the Swift
// types. Never linked, never run.

public import Dispatch
public import Foundation

public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFError = NSError
public typealias CFWriteStream = OutputStream

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ queue: DispatchQueue!) {}
