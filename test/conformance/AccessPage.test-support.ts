/** The text of `docs/access.md`, and the differences between two versions. */
import { callers, permissions, scopes } from "./AccessForge.test-support.ts"
import type { Row } from "./AccessMatrix.test-support.ts"

const introduction = `# Access

Which callers each route lets in, measured by \`test/conformance/access.test.ts\` with a request that succeeds for the control, on a repository of an organization (\`harbor/hello\`). \`npm test\` fails if a status differs from this page, whatever the contract declares. After an intended change, and for a new operation, run \`npx vitest run test/conformance/access.test.ts -u\` and review the diff: the page is the expectation.

\`✓\` means the successful response of the control, a number another status. \`✓ 404\` means \`✓\` in a public repository, and 404 in a private one.

| Caller | Credential |
| --- | --- |
| anonymous | none |
| stranger | a user without a role, all scopes |
| reader | a member of the organization, all scopes; an outside collaborator with the role \`read\` gets the same |
| triager | a member with the role \`triage\`, all scopes |
| writer | a member with the role \`write\`, all scopes |
| maintainer | a member with the role \`maintain\`, all scopes |
| owner | the control: an owner of the organization and administrator of its enterprise, all scopes. An administrator of the repository gets the same in it |
| no scope | the owner's classic token without scopes |
| no permission | the owner's fine-grained token without permissions |
| other repository | the owner's fine-grained token with all permissions, for another repository |
| app | an installation on the organization, all permissions |
| app on another account | an installation of the same app on a user |
| app on another repository | an installation on the organization, all permissions, for another repository |
| workflow | a workflow token of the repository, all permissions |

The control of \`GET /app\` and of the other routes for apps is the JWT of the app, that of the operations of installations is the token of the app. An expired or unknown token is 401 everywhere, except for signed links. **Scopes** lists the scopes of which the owner's classic token needs one, in a public / a private repository, among ${scopes.length} tried one by one: ${scopes.map((scope) => `\`${scope}\``).join(", ")}. **Permissions** lists those of which the owner's fine-grained token needs one. "(own)" marks a comment of the stranger, "(private)" a change of the visibility. "any" means that the token needs none, "none" that no such token is let in. Lists contain only the items that the caller can see.
`

const cell = (statuses: ReadonlyArray<number>, control: ReadonlyArray<number>) => {
  const cells = statuses.map((status, index) => (status < 400 && status === control[index] ? "✓" : String(status)))
  return [...new Set(cells)].join(" ")
}

const list = (names: ReadonlyArray<string>, all: number) =>
  names.length === all ? "any" : names.length === 0 ? "none" : names.join(", ")

const row = ({ control, permissions: sufficient, scopes: byVisibility, statuses, target: { name } }: Row) => {
  const scopeCells = [...new Set(byVisibility.map((names) => list(names, scopes.length)))]
  const cells = callers.map(([caller]) => cell(statuses.get(caller) ?? [], control))
  return `| ${[name, ...cells, scopeCells.join(" / "), list(sufficient, permissions.length)].join(" | ")} |`
}

const header = (first: string) => {
  const names = [first, ...callers.map(([caller]) => caller), "Scopes", "Permissions"]
  return `| ${names.join(" | ")} |\n|${" --- |".repeat(names.length)}`
}

export const print = (rows: ReadonlyArray<Row>): string => {
  const isOperation = ({ target: { name } }: Row) => /^\w+\.\w+( \(\w+\))?$/.test(name)
  const section = (title: string, first: string, has: (row: Row) => boolean) =>
    `\n## ${title}\n\n${header(first)}\n${rows.filter(has).map(row).join("\n")}\n`
  return [
    introduction,
    section("Repositories", "Operation", (one) => isOperation(one) && one.target.inRepository),
    section("Accounts, organizations, enterprises", "Operation", (one) => isOperation(one) && !one.target.inRepository),
    section("Outside of the contract", "Route", (one) => !isOperation(one)),
    "\nGit pushes here delete a branch. `POST /graphql` has the status that REST would have. Any program of the same machine can use the routes below `/_test` of `tongs serve --test` without a token, and no web page can (`packages/testing/src/control/ControlServer.test.ts`); any other forge has none of them.\n"
  ].join("")
}

const cellsOf = (text: string) =>
  new Map(
    text
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.slice(2, -2).split(" | "))
      .map(([name = "", ...cells]) => [name, cells])
  )

/** Lists the cells that differ, with the route and the caller. */
export const differences = (expected: string, actual: string): ReadonlyArray<string> => {
  const [before, after] = [cellsOf(expected), cellsOf(actual)]
  const columns = [...callers.map(([caller]) => caller), "scopes", "permissions"]
  return [
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `${name}: expected, but it does not exist`),
    ...[...after].flatMap(([name, cells]) => {
      const known = before.get(name)
      if (known === undefined) return [`${name}: new, without an expectation`]
      return cells.flatMap((value, index) =>
        value === known[index] ? [] : [`${name}: ${columns[index]}: expected ${known[index]}, found ${value}`]
      )
    })
  ]
}
