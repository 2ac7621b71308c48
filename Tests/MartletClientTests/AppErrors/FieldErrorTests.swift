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

    @Test("A sentence that names the field stays as it is, and the label precedes another one")
    func sentences() {
        #expect(FieldError(field: "email", message: "Your e-mail address is taken").text == "Your e-mail address is taken")
        #expect(FieldError(field: "firstName", message: "The first name field is required.").text == "The first name field is required.")
        #expect(FieldError(field: "age", message: "The message is too long").text == "Age: The message is too long")
        #expect(FieldError(field: "first_name", message: "Field required").text == "First name: Field required")
        #expect(FieldError(field: "1", message: "JSON decode error").text == "JSON decode error")
        #expect(FieldError(field: "", message: "Not valid").text == "Not valid")
    }

    @Test("The text joins label and message, unless the message is a sentence that names the field")
    func texts() {
        #expect(FieldError(field: "first_name", message: "is required").text == "First name is required")
        #expect(FieldError(field: "first_name", message: "Please enter your name").text == "Please enter your name")
        #expect(FieldError(field: "", message: "too long").text == "too long")
        #expect(FieldError(field: "name", message: "").text == "Name")
    }

    @Test("Characters that have an effect and are not shown are left out, except line breaks in the message")
    func controls() {
        let error = FieldError(field: "a\nb\u{202E}", message: "c\u{1B}[0m\nd\u{7}")
        #expect(error.label == "A b")
        #expect(error.text == "A b c[0m\nd")
    }
}
