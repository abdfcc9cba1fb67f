import Diagnostics
import TestKit
import Testing

@Suite("Five different mistakes in one flow")
struct FiveMistakesTests {
  private static let flow = """
    inputs:
      username: { type: string, minLength: 7 }
      phone: { type: string, format: phone, region: US }
    secrets: [client_id, client_secret, password]
    connections:
      rapidsos:
        client_id: ${{ secrets.client_id }}
        client_secret: ${{ secrets.client_secret }}
    steps:
      - id: register
        uses: rapidsos/register
        with:
          username: ${{ inputs.usrname }}
          password: ${{ secrets.password }}
          email: 42
        on_error:
          - when: rapidsos.username_taken
            then: continue
          - when: rapidsos.wrong_pin
            then: fail
      - id: request_pin
        uses: rapidsos/request-pin
        with:
          phone: ${{ inputs.phone }}
    outputs:
      user: ${{ steps.register.outputs.id }}

    """

  @Test func `all five are told, each with its place and its mend`() throws {
    let checked = Checked(Self.flow)
    #expect(checked.plan == nil)
    #expect(
      checked.diagnostics.map(\.kind) == [.unknownName, .quoteThisNumber, .impossibleCode, .notAuthenticated, .outputMayBeMissing])
    for finding in checked.diagnostics {
      #expect(finding.place != nil)
      #expect(!finding.help.isEmpty, "\(finding.message)")
    }
    try expectGolden(checked.text, "five-mistakes.txt")
  }
}
