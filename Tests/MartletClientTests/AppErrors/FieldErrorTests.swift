import MartletClient
import Testing

@Suite("FieldError", .timeLimit(.minutes(5)))
struct FieldErrorTests {
    @Test(
        "A label is the field's name in words",
        arguments: [
            ("first_name", "First name"), ("firstName", "First name"), ("FirstName", "First name"), ("zip-code", "Zip code"),
            ("items.0.name", "Items 1 name"), ("address.street", "Address street"), ("userID", "User ID"), ("URL", "URL"), ("e", "E"),
            ("größe", "Größe"), ("", ""), ("__", ""), ("9223372036854775807", "9223372036854775807"),
        ])
    func labels(field: String, label: String) {
        #expect(FieldError(field: field, message: "x").label == label)
    }

    @Test("The text joins label and message, unless the message is a sentence that begins in upper case")
    func texts() {
        #expect(FieldError(field: "first_name", message: "is required").text == "First name is required")
        #expect(FieldError(field: "first_name", message: "Please enter your name").text == "Please enter your name")
        #expect(FieldError(field: "", message: "too long").text == "too long")
        #expect(FieldError(field: "name", message: "").text == "Name")
    }
}
