import Testing
import Values

@Suite("A table in CSV")
struct CSVTests {
  private func table(_ text: String, types: [String: String] = [:]) throws -> CSVTable {
    try CSVTable(Array(text.utf8), types: types)
  }

  private func values(_ rows: [CSVTable.Row]) -> [Value] { rows.map { .map($0.values) } }

  private func complaint(_ text: String, types: [String: String] = [:]) -> String? {
    #expect(throws: CSVError.self) { try table(text, types: types) }?.description
  }

  @Test(
    "gives its rows by column",
    arguments: [
      ("a,b\n1,2\n", [["a": "1", "b": "2"]]),
      ("a,b\r\n1,2\r\n3,4", [["a": "1", "b": "2"], ["a": "3", "b": "4"]]),
      ("\u{FEFF}a\n1\n", [["a": "1"]]),
      ("a,b\n\n1,\n\n", [["a": "1", "b": ""]]),
      ("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", [["a": "x, y", "b": "say \"hi\""]]),
      ("a,b\n\"two\r\nlines\",z\n", [["a": "two\r\nlines", "b": "z"]]),
      ("a\n\"\"\n", [["a": ""]]),
      ("a,b\n", []),
      ("a,b\n é, 東京 \n", [["a": " é", "b": " 東京 "]]),
    ] as [(String, [Value])])
  func rows(text: String, expected: [Value]) throws {
    #expect(values(try table(text).rows) == expected)
  }

  @Test("knows the line of every row, whatever its cells hold")
  func lines() throws {
    #expect(try table("a,b\n\"1\n2\n3\",x\n\n4,y\n").rows.map(\.line) == [2, 6])
  }

  @Test("keeps the order of its columns")
  func order() throws {
    let table = try table("z,a,m\n1,2,3\n")
    #expect(table.header == ["z", "a", "m"])
    #expect(table.rows.first?.values.map(\.key.text) == ["z", "a", "m"])
  }

  @Test("types its columns; an empty cell is null, but for a string")
  func types() throws {
    let table = try table(
      "id,price,live,note\n9007199254740993,10,TRUE,07\n-5,1.5e3,false,\n,,,x\n",
      types: ["id": "integer", "price": "number", "live": "boolean", "note": "string"])
    #expect(
      values(table.rows) == [
        ["id": 9_007_199_254_740_993, "price": 10.0, "live": true, "note": "07"],
        ["id": -5, "price": 1500.0, "live": false, "note": ""],
        ["id": .null, "price": .null, "live": .null, "note": "x"],
      ])
  }

  @Test(
    "names the line, the column and the text of a cell that does not fit",
    arguments: [
      ("integer", "x", "line 3, column `n`: `x` is no integer; write digits alone, such as `1000`, up to 64 bits"),
      ("integer", "1.5", "line 3, column `n`: `1.5` is no integer; write digits alone, such as `1000`, up to 64 bits"),
      ("integer", "\"1,000\"", "line 3, column `n`: `1,000` is no integer; write digits alone, such as `1000`, up to 64 bits"),
      ("integer", " 1", "line 3, column `n`: ` 1` is no integer; write digits alone, such as `1000`, up to 64 bits"),
      (
        "integer", "9223372036854775808",
        "line 3, column `n`: `9223372036854775808` is no integer; write digits alone, such as `1000`, up to 64 bits"
      ),
      ("integer", "007", "line 3, column `n`: `007` is no integer; leave out the zero at its start, or let the column be a string"),
      ("number", "NaN", "line 3, column `n`: `NaN` is no number; write it as `1234.5`"),
      ("boolean", "yes", "line 3, column `n`: `yes` is no boolean; write `true` or `false`"),
    ])
  func misfits(type: String, cell: String, message: String) {
    #expect(complaint("n\n\n\(cell)\n", types: ["n": type]) == message)
  }

  @Test(
    "refuses what readers would read differently",
    arguments: [
      ("", "the table is empty; its first line names the columns"),
      ("\u{FEFF}\n\n", "the table is empty; its first line names the columns"),
      ("a;b\n1;2\n", "line 1: the columns are separated by `;`; save the table with commas"),
      ("a\tb\n", "line 1: the columns are separated by a tab; save the table with commas"),
      ("a,b\n1\n", "line 2: the row has 1 cell, and the header has 2; write a comma for each empty cell"),
      ("a,b\n1,2\n1,2,3\n", "line 3: the row has 3 cells, and the header has 2; put a cell that holds a comma in quotes"),
      ("a,b,a\n", "line 1, column `a`: the column stands in the header twice; rename one"),
      ("a,,b\n", "line 1: column 2 has no name; give it one or remove it"),
      ("a, b\n", "line 1, column ` b`: the name \" b\" starts or ends with a space; remove it"),
      ("a\nx\"y\n", "line 2: a quote stands inside a plain cell; put the whole cell in quotes and write each quote in it twice"),
      ("a\n\"x\"y\n", "line 2: text follows a closing quote; write a quote inside a quoted cell twice"),
      ("a\n1\n\"x\ny\n", "line 3: a quote opens here and is never closed"),
      ("a\r1\r", "line 1: a carriage return stands alone; end lines with LF or CRLF"),
      ("a\nx\0\n", "line 2: there is a NUL; a table is text"),
    ])
  func refused(text: String, message: String) {
    #expect(complaint(text) == message)
  }

  @Test("refuses what is no UTF-8")
  func encoding() {
    let failure = #expect(throws: CSVError.self) { try CSVTable([0x61, 0x0A, 0xE9, 0x0A]) }
    #expect(failure?.description == "the file is not UTF-8; save it as CSV UTF-8")
  }

  @Test("refuses a type for no column, and a type that is none")
  func wrongTypes() {
    #expect(complaint("a,b\n", types: ["c": "integer"]) == "column `c`: the table has no column `c`; it has `a`, `b`")
    #expect(
      complaint("a\n", types: ["a": "int"])
        == "column `a`: `int` is no type of a column; choose one of `integer`, `number`, `boolean`, `string`")
  }

  @Test("opens dots into objects, where an empty cell is absent")
  func nested() throws {
    let table = try table(
      "name,inputs.username,inputs.age,expect.outputs.ok\nfirst,ada,,true\nsecond,,,\n", types: ["inputs.age": "integer"])
    let rows = try table.nestedRows()
    #expect(
      values(rows) == [
        ["name": "first", "inputs": ["username": "ada"], "expect": ["outputs": ["ok": "true"]]], ["name": "second"],
      ])
    #expect(rows.map(\.line) == [2, 3])
  }

  @Test(
    "cannot open a column that is a value and an object",
    arguments: [
      ("inputs,inputs.a\n", "line 1, column `inputs`: the column is a value here and an object in `inputs.a`; rename one"),
      ("a..b\n", "line 1, column `a..b`: a name is missing beside a dot"),
    ])
  func clashes(text: String, message: String) throws {
    let table = try table(text)
    let failure = #expect(throws: CSVError.self) { try table.nestedRows() }
    #expect(failure?.description == message)
  }
}
