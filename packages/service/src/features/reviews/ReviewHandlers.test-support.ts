/** A repository with a pull request of one person, and reviewers with their tokens. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

export const forge = Forge.layer((repos) => void Forge.repository(repos, "adopted"))

const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)

/** The file of the pull request before and after its changes: line 5 is changed, line 8 is removed, the end is new. */
export const before = `${lines.join("\n")}\n`
export const after = [...lines.slice(0, 4), "line five", ...lines.slice(5, 7), ...lines.slice(8), "end", ""].join("\n")

let created = 0

/** Sends a request that must have a status, 200 or 201 by default, and gives the JSON. */
export const send = Effect.fnUntraced(function* (
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  status?: number
) {
  const { ask } = yield* TestForge
  const answer = yield* ask(method, path, { token, ...(body === undefined ? {} : { body }) })
  assert.include(status === undefined ? [200, 201, 204] : [status], answer.status, `${method} ${path} ${answer.text}`)
  return answer.json
})

/** Writes a file on a branch, and gives the commit. */
export const write = Effect.fnUntraced(function* (
  at: string,
  path: string,
  content: string,
  branch: string,
  token: string
) {
  const { get } = yield* TestForge
  const known = yield* get(`${at}/contents/${path}?ref=${branch}`, { token })
  const written = yield* send(token, "PUT", `${at}/contents/${path}`, {
    message: `write ${path}`,
    content: Buffer.from(content).toString("base64"),
    branch,
    ...(known.status === 200 ? { sha: known.json.sha } : {})
  })
  return String(written.commit.sha)
})

/**
 * Creates an organization with a repository, and a pull request of `ann` that changes `a.txt`. `ben` and `cat` may write
 * to the repository and `dan` may not.
 */
export const prepare = Effect.gen(function* () {
  const { repos } = yield* TestForge
  const number = ++created
  const owner = `org${number}`
  const people = ["ann", "ben", "cat", "dan", "eve"]
  yield* Fixtures.add(
    {
      users: people.map((login) => ({ login })),
      organizations: [{ login: owner, members: [{ login: "ann", role: "owner" }, { login: "eve" }] }],
      tokens: people.map((login) => ({ token: `${login}-${number}`, user: login, scopes: ["repo", "user"] }))
    },
    repos
  )
  const [ann = "", ben = "", cat = "", dan = "", eve = ""] = people.map((login) => `${login}-${number}`)
  yield* send(ann, "POST", `/orgs/${owner}/repos`, { name: "hello", auto_init: true })
  const at = `/repos/${owner}/hello`
  yield* Fixtures.add(
    {
      collaborators: ["ben", "cat"].map((login) => ({ repository: `${owner}/hello`, login, permission: "write" })),
      teams: [
        {
          organization: owner,
          name: "Crew",
          members: [{ login: "eve" }],
          repositories: [{ repository: `${owner}/hello`, permission: "write" }]
        },
        { organization: owner, name: "Hold", privacy: "secret" }
      ]
    },
    repos
  )
  yield* write(at, "a.txt", before, "main", ann)
  const { object } = yield* send(ann, "GET", `${at}/git/ref/heads/main`)
  yield* send(ann, "POST", `${at}/git/refs`, { ref: "refs/heads/fix", sha: object.sha })
  const head = yield* write(at, "a.txt", after, "fix", ann)
  const pull = yield* send(ann, "POST", `${at}/pulls`, { title: "Fix", head: "fix", base: "main" })
  return { at, owner, head, pull: `${at}/pulls/${pull.number}`, number: Number(pull.number), ann, ben, cat, dan, eve }
})
