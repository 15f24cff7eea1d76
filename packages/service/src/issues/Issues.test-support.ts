/** Repositories, accounts and issues for tests of references. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fixtures from "../main/Fixtures.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"

const id = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

const EventRow = Schema.Struct({
  issue: Schema.Int,
  event: Schema.String,
  actor: Schema.NullOr(Schema.String),
  commit_id: Schema.NullOr(Schema.String),
  source: Schema.NullOr(Schema.Int),
  comment_id: Schema.NullOr(Schema.Int)
})
const events = decodeRows(EventRow)

/** A forge whose owner has the public repository `hello`. */
export const layer = Forge.layer((repos) => void Forge.repository(repos, "hello"))

/** Adds accounts, public and private repositories, and tokens named after their users. */
export const setUp = Effect.gen(function* () {
  const { owner, repos } = yield* Forge.TestForge
  const logins = ["mia", "Will", "carl", "stranger"]
  const file = join(repos, "fixtures.json")
  const content = {
    users: logins.map((login) => ({ login })),
    organizations: [{ login: "acme", members: [{ login: "mia" }] }],
    repositories: [
      { full_name: `${owner}/bare`, auto_init: true },
      { full_name: "acme/tool" },
      { full_name: "acme/closed", private: true },
      { full_name: `${owner}/secret`, private: true }
    ],
    collaborators: [
      { repository: `${owner}/hello`, login: "Will", permission: "write" },
      { repository: `${owner}/bare`, login: "Will", permission: "write" },
      { repository: "acme/tool", login: "Will", permission: "write" },
      { repository: `${owner}/secret`, login: "carl", permission: "read" }
    ],
    tokens: logins.map((login) => ({ token: login, user: login, scopes: ["repo"] }))
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
})

export const repository = (fullName: string) => {
  const [owner = "", name = ""] = fullName.split("/")
  return Effect.flatMap(RepositoryRegistry, (registry) => requireRow(registry.find(owner, name)))
}

/** Adds an issue, by default open, and gives the id. */
export const addIssue = Effect.fnUntraced(function* (
  fullName: string,
  number: number,
  columns: { readonly is_pull_request?: 1; readonly state?: "closed" } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { row } = yield* repository(fullName)
  const time = "1970-01-01T00:00:00Z"
  const issue = { repository_id: row.id, number, title: `${number}`, author_id: row.owner.id }
  return (yield* requireRow(
    id(sql`INSERT INTO issues ${sql.insert({ ...issue, ...columns, created_at: time, updated_at: time })} RETURNING id`)
  )).id
})

/** Issue events of a repository, oldest first. Issues and sources are numbers of issues. */
export const issueEvents = Effect.fnUntraced(function* (fullName: string) {
  const sql = yield* SqlClient.SqlClient
  const { row } = yield* repository(fullName)
  return yield* events(sql`
    SELECT i.number AS issue, e.event, a.login AS actor, e.commit_id, o.number AS source, e.comment_id
    FROM issue_events e JOIN issues i ON i.id = e.issue_id LEFT JOIN issues o ON o.id = e.other_issue_id
    LEFT JOIN users a ON a.id = e.actor_id
    WHERE e.repository_id = ${row.id} ORDER BY e.id`)
})
