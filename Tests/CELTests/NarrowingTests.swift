import CEL
import Testing
import Values

/// What guards prove: an optional field that is there, a value that is not null.
@Suite struct NarrowingTests {
  @Test(arguments: [
    "has(user.nickname) && user.nickname != ''",
    "has(user.nickname) ? user.nickname == 'a' : false",
    "!has(user.nickname) || user.nickname == 'a'",
    "!(has(user.nickname)) ? false : user.nickname == 'a'",
    "has(user.address) && has(user.address.zip) && user.address.zip == '1'",
    "has(user.address) && has(user['address'].zip)",
    "user.email != null && user.email.startsWith('a')",
    "user.email == null || user.email.startsWith('a')",
    "user.email == 'a@b' && user.email.size() > 1",
    "maybe != null ? maybe > 1 : false",
    "null != maybe && maybe + 1 > 1",
    "'nickname' in user && user.nickname == 'a'",
    "has(user.nickname) && items.exists(i, i > size(user.nickname))",
    "items.filter(i, maybe != null).map(i, i) == []",
    "user.?nickname.orValue('a') == 'a'",
    "user.email == null", "maybe == 1", "null == maybe",
  ])
  func accepted(source: String) {
    #expect(Sample.environment.compile(source).issues == [])
  }

  @Test(arguments: [
    "user.nickname == 'a' && has(user.nickname)",
    "has(user.nickname) || user.nickname == 'a'",
    "has(user.nickname) ? false : user.nickname == 'a'",
    "(has(user.nickname) && true) || user.nickname == 'a'",
    "has(user.address.zip)",
    "maybe > 1", "maybe + 1 == 2", "-maybe == 1", "user.email.size() > 1", "size(user.email) > 1",
    "maybe == null && maybe > 1",
    "username == 'a' ? maybe > 1 : true",
  ])
  func refused(source: String) {
    #expect(Sample.environment.compile(source).program == nil)
  }

  @Test func guardsFromOutside() throws {
    let guardian = try Sample.program("has(user.nickname) && maybe != null").expression
    #expect(Sample.environment.compile("user.nickname + string(maybe)", assuming: [guardian]).issues == [])
  }
}
