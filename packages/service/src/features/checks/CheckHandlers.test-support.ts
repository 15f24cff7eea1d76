/** A forge with apps that check commits. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

/** Adds repository `acme/tool` with one commit, apps `linter` and `tester`, and tokens. */
const setUp = Effect.gen(function* () {
  const { repos } = yield* Support.TestForge
  const installation = (id: number, app_slug: string, permissions: object) => ({
    id,
    account: "acme",
    app_slug,
    permissions
  })
  yield* Fixtures.add(
    {
      users: [{ login: "ann" }, { login: "ben" }, { login: "reader" }],
      organizations: [{ login: "acme", base_permission: "read", members: [{ login: "ann", role: "owner" }] }],
      repositories: [
        { full_name: "acme/tool", auto_init: true },
        { full_name: "acme/secret", private: true, auto_init: true }
      ],
      collaborators: [{ repository: "acme/tool", login: "ben", permission: "write" }],
      installations: [
        installation(1, "linter", { checks: "write", contents: "write", statuses: "write", metadata: "read" }),
        installation(2, "tester", { checks: "write", contents: "read" }),
        installation(3, "viewer", { checks: "read" })
      ],
      tokens: [
        { token: "ann", user: "ann", scopes: ["repo", "admin:org", "admin:org_hook"] },
        { token: "ben", user: "ben", scopes: ["public_repo"] },
        { token: "status", user: "ben", scopes: ["repo:status"] },
        { token: "reader", user: "reader", scopes: ["repo"] },
        { token: "linter", kind: "installation", installation: 1 },
        { token: "tester", kind: "installation", installation: 2 },
        { token: "viewer", kind: "installation", installation: 3 },
        {
          token: "workflow",
          user: "ben",
          kind: "workflow",
          permissions: { checks: "write" },
          repositories: ["acme/tool"]
        }
      ]
    },
    repos
  )
})

export const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => void Support.repository(repos, "hello"))
)

export const BASE = "/repos/acme/tool"

/** Sends a request with a token, by default that of the app `linter`. */
export const send = Effect.fnUntraced(function* (method: string, path: string, body?: object, token = "linter") {
  const { ask } = yield* Support.TestForge
  return yield* ask(method, path.startsWith("/") ? path : `${BASE}/${path}`, { body, token })
})

/** Sends a request that succeeds, and returns the body. */
export const succeed = Effect.fnUntraced(function* (method: string, path: string, body?: object, token = "linter") {
  const { json, status } = yield* send(method, path, body, token)
  if (status >= 300) return yield* Effect.die(new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`))
  return json
})

/** Adds a commit to a branch, by default the default branch, and returns its id. */
export const push = Effect.fnUntraced(function* (name: string, branch = "main") {
  const content = Buffer.from(`${name}\n`).toString("base64")
  const made = yield* succeed("PUT", `contents/${name}`, { message: name, content, branch })
  const sha: string = made.commit.sha
  return sha
})
