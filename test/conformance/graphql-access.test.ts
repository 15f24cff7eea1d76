/** GraphQL shows a caller no more than the REST API does, and changes no more. */
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import {
  AccessForge,
  callers,
  permissions,
  scopes,
  tokenOfPermission,
  tokenOfScope
} from "./AccessForge.test-support.ts"
import { substitute } from "./ConformanceFixture.test-support.ts"
import * as GraphQlAccess from "./GraphQlAccess.test-support.ts"

/** Callers that must not see a private repository. */
const blind = ["stranger", "scopeless", "elsewhere", "foreign-app", "narrow-app"]

/** Mutations of an account, which any member of an organization may run. */
const ofAccounts = new Set(["createRepository"])

/** Mutations that readers may run: they take part in conversations, and members create repositories from templates. */
const allowed = new Set([
  "createIssue",
  "addComment",
  "addReaction",
  "removeReaction",
  "addPullRequestReview",
  "addPullRequestReviewThread",
  "addPullRequestReviewThreadReply",
  "cloneTemplateRepository"
])

/** Mutations that are invalid for readers: they cannot push, and have no pending review. */
const invalid = new Set(["createPullRequest", "deletePullRequestReview"])

const refusals = /^(NOT_FOUND|FORBIDDEN) /

/** The rows of all tables, except those of webhooks: the forge delivers events in the background. */
const tables = Effect.gen(function* () {
  const { repos } = yield* TestForge
  return yield* Effect.promise(async () => {
    await using connection = await ForgeRows.connect(join(repos, "../data"))
    const names = await connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%hook%' AND name NOT LIKE '%deliver%' ORDER BY name"
    )
    const rows = []
    for (const { name } of names) rows.push([name, await connection.query(`SELECT * FROM ${String(name)}`)])
    return rows
  })
})

/** Relations of a public issue to private ones. */
const relate = Effect.gen(function* () {
  const { ask } = yield* TestForge
  const send = (path: string, body: object) =>
    Effect.map(ask("POST", `/repos/harbor/${path}`, { token: "owner", body }), ({ json, status }) => {
      assert.strictEqual(status, 201, JSON.stringify(json))
      return json
    })
  const { id, number } = yield* send("empty/issues", { title: "Open", body: "As harbor/hello#1 and harbor/hello#20" })
  const [parent, child] = [
    yield* send("hello/issues", { title: "Hidden parent" }),
    yield* send("hello/issues", { title: "Hidden child" })
  ]
  yield* send(`hello/issues/${parent.number}/sub_issues`, { sub_issue_id: id })
  yield* send(`empty/issues/${number}/sub_issues`, { sub_issue_id: child.id })
  yield* send(`empty/issues/${number}/dependencies/blocked_by`, { issue_id: child.id })
})

layer(AccessForge.layer, { excludeTestServices: true, timeout: 120_000 })("GraphQL access", (it) => {
  it.effect(
    "private repositories make no difference to callers without access",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* TestForge
        const { restore } = yield* AccessForge
        yield* restore("private")
        yield* relate
        const read = Effect.forEach(["owner", ...blind], (token) =>
          Effect.map(GraphQlAccess.readAll(token), (answers) => [token, answers] as const)
        )
        const before = new Map(yield* read)
        // The forge keeps no copy of a second repository.
        assert.strictEqual((yield* ask("DELETE", "/repos/harbor/hello", { token: "owner" })).status, 204)
        const after = new Map(yield* read)
        const seen = GraphQlAccess.textsOf(before.get("owner"))
        const remaining = new Set(GraphQlAccess.textsOf(after.get("owner")))
        const hidden = new Set(seen.filter((text) => !remaining.has(text)))
        // The documents ask for what is private.
        for (const text of [
          "No ship answers",
          "Danish ships",
          "greet-danish",
          "v0.1",
          "Hidden parent",
          "Before winter"
        ])
          assert.isTrue(hidden.has(text), text)
        for (const token of blind)
          for (const [index, answer] of (before.get(token) ?? []).entries())
            assert.deepStrictEqual(answer, after.get(token)?.[index], `${token}: ${answer.query}`)
      }),
    300_000
  )

  it.effect(
    "reads have the rights of the REST API, with each scope and each permission",
    () =>
      Effect.gen(function* () {
        const { names, restore } = yield* AccessForge
        const replace = (text: string) => substitute(text, names)
        yield* restore("private")
        const tokens = [
          ...callers.flatMap(([, token]) => token ?? []),
          ...scopes.map(tokenOfScope),
          ...permissions.map((name) => tokenOfPermission(name, "read"))
        ]
        const wrong: Array<string> = []
        for (const read of GraphQlAccess.equals) {
          for (const token of tokens) {
            const { shown, status } = yield* GraphQlAccess.compare(token, read, replace)
            for (const [index, isShown] of shown.entries())
              if (isShown ? status !== 200 : status === 200 && index === 0)
                wrong.push(`${token}: ${read[0]} ${status}, ${read[1][index]} ${isShown}`)
          }
        }
        assert.deepStrictEqual(wrong, [])
      }),
    300_000
  )

  it.effect(
    "mutations have the rights of the REST API, and a refused one changes nothing",
    () =>
      Effect.gen(function* () {
        const { restore } = yield* AccessForge
        yield* restore("private")
        const inputs = yield* GraphQlAccess.inputs
        const before = yield* tables
        const wrong: Array<string> = []
        for (const token of [...blind, "powerless", "reader"])
          for (const { input, name } of inputs) {
            if (ofAccounts.has(name) || (token === "reader" && allowed.has(name))) continue
            const { errors, status } = yield* GraphQlAccess.mutate(token, name, input)
            const isRefused = errors.length > 0 && errors.every((one) => refusals.test(one) || invalid.has(name))
            if (status !== 200 || !isRefused) wrong.push(`${token} ${name}: ${status} ${errors.join(", ")}`)
          }
        assert.deepStrictEqual(wrong, [])
        assert.deepStrictEqual(yield* tables, before)
        // The same inputs pass all checks of rights for an owner.
        for (const { input, name } of inputs) {
          const { errors, status } = yield* GraphQlAccess.mutate("owner", name, input)
          const isAdmitted = status === 200 && errors.every((one) => one.startsWith("UNPROCESSABLE"))
          if (!isAdmitted) wrong.push(`owner ${name}: ${status} ${errors.join(", ")}`)
          yield* restore("private")
          yield* GraphQlAccess.inputs
        }
        assert.deepStrictEqual(wrong, [])
      }),
    300_000
  )
})
