/** Repositories of an organization whose rules require the check `ci`, for the tests of automatic merges. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

export const forge = Forge.layer((repos) => void Forge.repository(repos, "adopted"))

/** Commits a file to a branch, and returns the id of the commit. */
export const write = Effect.fnUntraced(function* (
  at: string,
  path: string,
  content: string,
  branch: string,
  token?: string
) {
  const { ask, get } = yield* TestForge
  const as = token === undefined ? {} : { token }
  const known = yield* get(`${at}/contents/${path}?ref=${branch}`, as)
  const body = {
    message: `write ${path}`,
    content: Buffer.from(content).toString("base64"),
    branch,
    ...(known.status === 200 ? { sha: known.json.sha } : {})
  }
  const { json, status, text } = yield* ask("PUT", `${at}/contents/${path}`, { ...as, body })
  assert.oneOf(status, [200, 201], text)
  return String(json.commit.sha)
})

export const branch = Effect.fnUntraced(function* (at: string, name: string) {
  const { ask, get } = yield* TestForge
  const { sha } = (yield* get(`${at}/git/ref/heads/main`)).json.object
  const { status, text } = yield* ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/${name}`, sha } })
  assert.strictEqual(status, 201, text)
})

/** Adds a repository in which `mia` may write and `rex` may read. Administrators may push without the check. */
export const create = Effect.fnUntraced(function* (
  name: string,
  rules: { readonly strict?: boolean; readonly environments?: ReadonlyArray<string> } = {}
) {
  const { ask, repos } = yield* TestForge
  const at = `/repos/acme/${name}`
  const people = ["mia", "rex"]
  yield* Fixtures.add(
    {
      users: people.map((login) => ({ login })),
      organizations: [{ login: "acme" }],
      tokens: people.map((login) => ({ token: login, user: login, scopes: ["repo"] }))
    },
    repos
  )
  const made = yield* ask("POST", "/orgs/acme/repos", { body: { name, auto_init: true, allow_auto_merge: true } })
  assert.strictEqual(made.status, 201, made.text)
  const settings = yield* ask("PATCH", at, { body: { allow_auto_merge: true } })
  assert.isTrue(settings.json.allow_auto_merge, settings.text)
  yield* Fixtures.add({ collaborators: [{ repository: `acme/${name}`, login: "mia", permission: "write" }] }, repos)
  const ruleset = yield* ask("POST", "/orgs/acme/rulesets", {
    body: {
      name,
      enforcement: "active",
      bypass_actors: [{ actor_id: 1, actor_type: "OrganizationAdmin", bypass_mode: "always" }],
      conditions: {
        ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] },
        repository_name: { include: [name], exclude: [] }
      },
      rules: [
        {
          type: "required_status_checks",
          parameters: {
            required_status_checks: [{ context: "ci" }],
            strict_required_status_checks_policy: rules.strict ?? false
          }
        },
        ...(rules.environments === undefined
          ? []
          : [{ type: "required_deployments", parameters: { required_deployment_environments: rules.environments } }])
      ]
    }
  })
  assert.strictEqual(ruleset.status, 201, ruleset.text)
  return at
})

/** Opens a pull request with one commit, and waits until it is known whether it can be merged. */
export const open = Effect.fnUntraced(function* (at: string, name: string, body: object = {}) {
  const { ask } = yield* TestForge
  yield* branch(at, name)
  const head = yield* write(at, `${name}.txt`, "x\n", name)
  const made = yield* ask("POST", `${at}/pulls`, { body: { title: `Add ${name}`, base: "main", head: name, ...body } })
  assert.strictEqual(made.status, 201, made.text)
  const number = Number(made.json.number)
  const { id } = yield* until(at, number, ({ mergeable, node_id: id }) => (mergeable === null ? undefined : { id }))
  return { head, id: String(id), number }
})

/** Reads a pull request until a function returns a value. */
export const until = Effect.fnUntraced(function* <A>(
  at: string,
  number: number,
  found: (pull: Forge.Answer["json"]) => A | undefined
) {
  const { get } = yield* TestForge
  let last: unknown
  for (let attempt = 0; attempt < 400; attempt++) {
    const { json } = yield* get(`${at}/pulls/${number}`)
    last = json
    const value = found(json)
    if (value !== undefined) return value
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
  }
  return assert.fail(`The pull request stays as it is: ${JSON.stringify(last).slice(0, 2000)}`)
})

export const pass = Effect.fnUntraced(function* (at: string, sha: string, state = "success") {
  const { ask } = yield* TestForge
  const { status, text } = yield* ask("POST", `${at}/statuses/${sha}`, { body: { state, context: "ci" } })
  assert.strictEqual(status, 201, text)
})

/** Runs a mutation, and returns its pull request or its first error. */
export const mutate = Effect.fnUntraced(function* (name: string, input: object, token = "mia") {
  const { ask } = yield* TestForge
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
  const query = `mutation M($input: ${type}) { m: ${name}(input: $input) { actor { login } pullRequest {
    number state autoMergeRequest { mergeMethod commitHeadline commitBody enabledBy { login } } } } }`
  const { json } = yield* ask("POST", "/graphql", { token, body: { query, variables: { input } } })
  return { value: json.data?.m, error: json.errors?.[0] }
})

export const enable = (pullRequestId: string, more: object = {}, token?: string) =>
  mutate("enablePullRequestAutoMerge", { pullRequestId, ...more }, token)

/** Names of the events of a pull request that concern its automatic merge. */
export const events = Effect.fnUntraced(function* (at: string, number: number) {
  const { get } = yield* TestForge
  const names: ReadonlyArray<string> = (yield* get(`${at}/issues/${number}/events`)).json.map(
    ({ event }: { readonly event: string }) => event
  )
  return names.filter((name) => name.startsWith("auto_"))
})
