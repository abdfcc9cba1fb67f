import CEL
import SourceText
import TestKit
import Testing
import Values

/// What authors are told, mistake by mistake.
@Suite struct MessageTests {
  @Test(arguments: [
    ("usrname == 'a'", "error[unknownName]: unknown name `usrname`\nat: usrname\nhelp: did you mean `username`?"),
    (
      "steps.log_inn.status == 'succeeded'",
      "error[unknownName]: unknown name `steps.log_inn`\nat: log_inn\nhelp: did you mean `steps.log_in`?"
    ),
    (
      "steps.log_in == 'x'",
      "error[unknownName]: `steps.log_in` is no value by itself\nat: steps.log_in\nhelp: it has `outputs`, `status`"
    ),
    (
      "steps.log-in.status == 'x'",
      "error[invalidExpression]: `-in` is read as a subtraction\nat: -in\nhelp: where `-` is part of a name, write `_`, as in `log_in`"
    ),
    (
      "steps.log_in.outputs.ctiy",
      "error[unknownName]: no field `ctiy` in an address\nat: ctiy\nhelp: did you mean `city`?"
    ),
    (
      "amount > '10.00'",
      "error[typeMismatch]: cannot compare `int` with `string`\nat: '10.00' -- string\nand: amount -- int"
    ),
    (
      "amount == '10'",
      "error[typeMismatch]: cannot compare `int` with `string`\nat: '10' -- string\nand: amount -- int"
    ),
    (
      "'a' + amount",
      "error[typeMismatch]: cannot add `string` and `int`\nat: amount -- int\nand: 'a' -- string\nhelp: write `string(amount)`"
    ),
    (
      "username || 'x'",
      """
      error[typeMismatch]: `||` takes bools, not `string`
      at: username -- string
      help: for a value that may be missing, write `default(username, 'x')`
      """
    ),
    (
      "contains(username, 'x')",
      "error[typeMismatch]: `contains` is a method\nat: contains\nhelp: write `username.contains('x')`"
    ),
    ("toJSON(user)", "error[unknownName]: unknown function `toJSON`\nat: toJSON\nhelp: write `json.encode(…)`"),
    ("json.encod(user)", "error[unknownName]: unknown function `json.encod`\nat: json.encod\nhelp: did you mean `json.encode`?"),
    ("jsn.encode(user)", "error[unknownName]: unknown function `jsn.encode`\nat: jsn.encode\nhelp: did you mean `json.encode`?"),
    (
      "username.startWith('x')",
      "error[unknownName]: unknown method `startWith`\nat: startWith\nhelp: did you mean `startsWith`?"
    ),
    (
      "username.length > 3",
      "error[typeMismatch]: a value of type `string` has no fields\nat: length -- no field `length`\nand: username -- string\nhelp: write `size(username)`"
    ),
    (
      "username.charAt('0') == 'a'",
      "error[typeMismatch]: `charAt` does not take `string` here\nat: '0' -- string\nhelp: it is `string.charAt(int)`"
    ),
    (
      "amount.charAt(0) == 'a'",
      "error[typeMismatch]: `charAt` is no method of `int`\nat: amount -- int\nhelp: it is `string.charAt(int)`"
    ),
    (
      "username.charAt()",
      "error[typeMismatch]: `charAt` does not take 0 arguments\nat: charAt\nhelp: it is `string.charAt(int)`"
    ),
    (
      "user.nickname + '!'",
      """
      error[outputMayBeMissing]: `nickname` may be missing from the answer of `users/get`
      at: nickname -- optional
      help: guard it with `has(user.nickname)`, or write `default(user.nickname, …)`
      """
    ),
    (
      "user.email + '!'",
      """
      error[typeMismatch]: `user.email` may be null
      at: user.email -- string or null
      help: guard it with `user.email != null`, or write `default(user.email, …)`
      """
    ),
    (
      "body.total / 2",
      """
      error[typeMismatch]: division needs to know whether `body.total` is an int or a double
      at: body.total -- unknown type
      help: write `int(body.total)` or `double(body.total)`
      """
    ),
    (
      "body.code == '409'",
      """
      warning[typeMismatch]: `body.code` is of unknown type, and `409` in quotes equals no number and no bool
      at: '409' -- string
      and: body.code -- unknown type
      help: compare with `409`, or write `string(body.code)`
      """
    ),
    ("amount > 1 || 1 == 1", "warning[constantCondition]: this condition is always `true`\nat: 1 == 1"),
    ("username.matches('(')", "error[invalidExpression]: the pattern is not valid: missing ): (\nat: '('"),
    (
      "duration('1 hour') > duration('1s')",
      "error[invalidExpression]: `1 hour` is not a duration\nat: '1 hour'\nhelp: write it as in `1h30m` or `2.5s`"
    ),
    (
      "started > timestamp('2026-02-30T00:00:00Z')",
      "error[invalidExpression]: `2026-02-30T00:00:00Z` is not a timestamp\nat: '2026-02-30T00:00:00Z'\nhelp: write it as in `2026-03-01T09:30:00Z`"
    ),
    (
      "amount > 1 ? 'a' : 1",
      "error[typeMismatch]: the two values of `?:` differ in type: `string` and `int`\nat: 1 -- int\nand: 'a' -- string\nhelp: if both are meant, write `dyn(…)` around one"
    ),
    (
      "default(user.nickname, 1)",
      "error[typeMismatch]: the fallback is `int`, but `user.nickname` is `string`\nat: 1 -- int\nand: user.nickname -- string"
    ),
    (
      "'a' in username",
      """
      error[typeMismatch]: `in` looks into lists and maps, not `string`
      at: username -- string
      and: 'a' -- string
      help: write `username.contains('a')`
      """
    ),
    ("items.map(i + 1, i)", "error[invalidExpression]: `map` takes a new name here\nat: i + 1 -- expected a name, such as `item`"),
    (
      "amount.exists(i, i > 1)",
      "error[typeMismatch]: `exists` goes over a list or a map, not `int`\nat: amount -- int"
    ),
    ("(amount + 1", "error[invalidExpression]: the expression ends where `)` should stand\nat: \nand: ( -- opened here"),
    ("amount = 1", "error[invalidExpression]: unexpected `=`\nat: =\nhelp: compare with `==`"),
    ("'abc", "error[invalidExpression]: the string does not end\nat: 'abc\nhelp: close it with `'`"),
    ("", "error[invalidExpression]: the expression is empty\nat: "),
  ])
  func one(source: String, expected: String) {
    let issues = Sample.environment.compile(source).issues
    #expect(issues.map { shown($0, in: source) }.joined(separator: "\n\n") == expected)
  }

  @Test func hyphenInAnIdIsReadAsSubtraction() {
    let environment = Environment(variables: [Variable(name: "steps.get_user.outputs", type: .dyn, slot: 0)])
    let source = "steps.get-user.outputs.name"
    #expect(
      environment.compile(source).issues.map { shown($0, in: source) } == [
        "error[unknownName]: `get-user` is read as a subtraction\nat: get-user\nhelp: write `steps.get_user`"
      ])
  }

  @Test func allIssuesAreReported() {
    let issues = Sample.environment.compile("usrname == 'a' && amount > 'x' && user.nam == 'y'").issues
    #expect(
      issues.map(\.message) == [
        "unknown name `usrname`", "cannot compare `int` with `string`", "no field `nam` in the answer of `users/get`",
      ])
  }

  @Test func oneUnknownNameSilencesWhatFollows() {
    #expect(Sample.environment.compile("size(usrname.a.b + 1) > 'x'.charAt(0)").issues.count == 2)
    #expect(Sample.environment.compile("usrname.a[0].b + 1 > 'x'").issues.count == 1)
  }

  @Test func spansStayGoodInsideMacros() throws {
    let marked = MarkedText("items.filter(i, i > 1).map(i, 1️⃣usrname2️⃣ + string(i))")
    let issue = try #require(Sample.environment.compile(marked.text).issues.first)
    #expect(issue.span == Span(marked["1️⃣"], marked["2️⃣"]))
  }

  @Test func spansCountBytesBehindOtherScripts() throws {
    let marked = MarkedText("'завтра' + 1️⃣usrname2️⃣")
    let issue = try #require(Sample.environment.compile(marked.text).issues.first)
    #expect(issue.span == Span(marked["1️⃣"], marked["2️⃣"]))
  }
}
