import TestKit
import Testing

@Suite("Inputs: their schemas and defaults are right before anybody gives one")
struct InputTests {
  private func input(_ declaration: String) -> String {
    "inputs:\n  x: \(declaration)\nsteps:\n  - uses: log\n    with: { message: hi }\n"
  }

  @Test func `declarations`() throws {
    try expectGolden(
      transcript([
        "a type": input("strin"),
        "a type in a schema": input("{ type: int }"),
        "a keyword": input("{ type: string, minLenght: 3 }"),
        "a keyword of another form": input("{ type: string, minLength: three }"),
        "a pattern": input("{ type: string, pattern: '(' }"),
        "a format": input("{ type: string, format: emial }"),
        "required": input("{ type: string, required: true }"),
        "an expression": input("{ type: string, default: \"${{ secrets.a }}\" }"),
        "a default of another type": input("{ type: integer, default: many }"),
        "a default that must be quoted": input("{ type: string, default: 4711 }"),
        "a default that is too short": input("{ type: string, minLength: 3, default: ab }"),
        "a default that is no phone number": input("{ type: string, format: phone, region: US, default: \"12\" }"),
        "a default in a list": input("{ type: array, items: { type: integer }, default: [1, two] }"),
        "a region without a phone": input("{ type: string, region: US }"),
        "a region in small letters": input("{ type: string, format: phone, region: us }"),
        "a flag that is none": input("{ type: string, optional: maybe }"),
        "as they should be": """
        inputs:
          a: string
          b: { type: string, format: phone, region: US, default: "(234) 567-8888" }
          c: { type: array, items: { type: integer }, default: [1, 2], description: numbers }
          d: { type: [string, "null"], optional: true, secret: true }
          e: { enum: [x, y], default: x }
        steps:
          - uses: log
            with: { message: hi }

        """,
      ]), "inputs.txt")
  }
}
