import FlowPlan
import TestKit
import Testing

@Suite("expect: schemas, matchers, and the request")
struct ExpectTests {
  private func request(_ expect: String, _ rest: String = "") -> String {
    plain("  - id: me\n    get: /me\n    expect: \(expect)\n\(rest)")
  }

  private let files = [
    "user.schema.json":
      #"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"]}"#,
    "broken.json": "{\n  \"type\": 7,\n}", "wrong.json": #"{"type": "text"}"#,
  ]

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript(
        [
          "a field that the schema does not have": request(
            "{ schema: user.schema.json, that: [ response.body.nam == 'Ada' ] }", "    outputs: { n: \"${{ response.body.nme }}\" }"),
          "a field that the body may lack": request("{ schema: user.schema.json }", "  - if: steps.me.response.body.age > 18\n    get: /a"),
          "a schema that is not there": request("{ schema: users.json }"),
          "a file that is no JSON": request("{ schema: broken.json }"),
          "a file that is no schema": request("{ schema: wrong.json }"),
          "a schema in place that is wrong": request("{ schema: { type: object, properties: { a: { type: text } } } }"),
          "a schema of anything": request("{ schema: {} }"),
          "a schema for a typed step": signedIn("  - uses: rapidsos/fetch-profile\n    expect: { schema: user.schema.json }"),
          "a misspelt matcher": request("{ body: { id: $uid, name: { $regx: a } } }"),
          "a matcher without its argument": request("{ body: { name: $regex, age: $between } }"),
          "a pattern that is none": request("{ body: { name: { $regex: \"(\" } } }"),
          "a range that is none": request("{ body: { a: { $between: [1] }, b: { $between: [1, x] }, c: { $between: [5, 1] } } }"),
          "a matcher beside other keys": request("{ body: { a: { $regex: x, b: 1 } } }"),
          "a field of the request": request("[ request.headrs.accept == 'a', request.method == 'GET' ]"),
          "the request of another step": request("[ response.status == 200 ]", "  - get: /${{ request.url }}"),
          "a connection that is not there": plain("  - get: /${{ connections.app.base_url }}"),
          "a setting that is secret": rapidsos("  - get: https://a.test/${{ connections.rapidsos.client_secret }}"),
          "a secret in a query": "secrets: [key]\n" + plain("  - get: /a\n    with: { query: { key: \"${{ secrets.key }}\" } }"),
          "a reason that is none": "secrets: [key]\n"
            + plain("  - get: /a\n    with: { query: { key: { valu: \"${{ secrets.key }}\", secret_in_url: \"\" } } }"),
        ], files: files), "expect.txt")
  }

  @Test func `what is right`() {
    let fine: [String] = [
      request("{ schema: user.schema.json, that: [ response.body.name == 'Ada' ] }", "  - get: /${{ steps.me.response.body.name }}"),
      request(
        "{ schema: { type: object, properties: { id: { type: integer } }, required: [id] } }",
        "  - if: steps.me.response.body.id > 1\n    get: /a"),
      request(
        "{ body: { id: $uuid, price: $5, name: { $regex: '^[a-z]+$' }, age: { $between: [1, 99.5] }, gone: $absent, list: [ $any ] } }"),
      request("[ request.method == 'GET', request.url.startsWith(connections.api.base_url) ]"),
      request("{ error: http.404, that: [ \"error.http != null\" ] }"),
      "secrets: [key]\n"
        + plain(
          "  - get: /a\n    with: { query: { key: { value: \"${{ secrets.key }}\", secret_in_url: the provider takes it nowhere else } } }"),
    ]
    for flow in fine { #expect(Checked(flow, files: files).text == "no findings\n", "\(flow)") }
  }
}
