/// The files of a first project: they pass as they are.
enum ProjectTemplate {
  struct File {
    /// Relative to the project's folder.
    let path: String
    let text: String
  }

  static let files = [
    File(path: "baton.yaml", text: environments), File(path: "flows/todo.flow.yaml", text: flow),
    File(path: "flows/todo.scenarios.yaml", text: scenarios), File(path: ".github/workflows/baton.yml", text: workflow),
  ]

  private static let environments = """
    # Where the flows run: `baton run flows/todo.flow.yaml --env staging`.
    baton: 1
    environments:
      staging:
        connections:
          todo:
            base_url: https://todo-staging.example.test
        secrets:
          token: { env: TODO_TOKEN }
        hosts: [todo-staging.example.test]
      production:
        extends: staging
        connections:
          todo:
            base_url: https://todo.example.test
        hosts: [todo.example.test]

    """

  private static let flow = """
    # Creates an entry, waits until it is ready, and deletes it again, whatever happens.
    baton: 1
    flow: todo
    description: An entry comes, is ready, and goes.

    inputs:
      title: { type: string, minLength: 1, default: Buy milk, description: "What is to do." }

    secrets: [token]

    connections:
      todo:
        system: http
        base_url: https://todo.example.test
        bearer: ${{ secrets.token }}

    steps:
      - id: create
        post: /entries
        with:
          json:
            title: ${{ inputs.title }}
        expect:
          status: 201
        outputs:
          id: ${{ int(response.body.id) }}
        undo:
          always: true
          steps:
            - delete: /entries/${{ steps.create.outputs.id }}

      - id: ready
        get: /entries/${{ steps.create.outputs.id }}
        poll:
          every: 2s
          timeout: 1m
          until: response.body.state == 'ready'

    outputs:
      id: ${{ steps.create.outputs.id }}

    """

  private static let scenarios = """
    # Cases around the flow, on stubbed routes: `baton test flows`.
    baton: 1
    scenarios: todo
    flow: todo.flow.yaml

    cases:
      - name: an entry is created, awaited and deleted
        routes:
          - { route: "POST /entries", status: 201, json: { id: 7 } }
          - { route: "GET /entries/{id}", json: { state: waiting }, times: 2 }
          - { route: "GET /entries/{id}", json: { state: ready } }
          - { route: "DELETE /entries/{id}", status: 204 }
        expect:
          verdict: passed
          outputs: { id: 7 }
          requests:
            "GET /entries/{id}": 3
            "DELETE /entries/{id}": 1

      - name: the server refuses the entry
        routes:
          - { route: "POST /entries", status: 422, json: { message: the title is too long } }
        expect:
          verdict: failed
          code: http.422
          requests:
            "DELETE /entries/{id}": 0

    """

  private static let workflow = """
    # Checks and tests every flow at each push; the results stand beside the commit.
    name: flows
    on: [push, pull_request]
    jobs:
      baton:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
          - run: baton check flows --format github
          - run: baton test flows --report junit=baton.xml
          - if: always()
            uses: actions/upload-artifact@v4
            with: { name: baton, path: baton.xml }

    """
}
