// Replaces Apple's Core Foundation with the declarations that Martlet uses. Classes that Apple's compiler bridges are declared as Swift
// types. They are never linked or run.

public import Dispatch
public import Foundation

public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFError = NSError
public typealias CFWriteStream = OutputStream

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ queue: DispatchQueue!) {}
