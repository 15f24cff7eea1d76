/** Sends random GraphQL documents to a forge with data, and checks each answer. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as RandomDocuments from "@tongs/service/features/graphql/RandomDocuments.test-support"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"

/** Tokens of the requests, with those of `limitedTokens`. Most are of an owner. */
const tokens = [
  ...Array.from({ length: 20 }, () => "olive"),
  "nell",
  "buoy",
  "fine",
  "scopeless",
  "piers",
  null,
  "wrong"
]

/** Permissions of the tokens of an owner with one permission less than all of these, or with only one. */
const permissions = ["actions", "checks", "contents", "issues", "metadata", "members", "pull_requests", "statuses"]

/** Creates tokens of an owner that have some of the permissions. */
const limitedTokens = Effect.gen(function* () {
  const { get, token } = yield* TestForge
  const { id } = (yield* get("/users/olive", { token: "olive" })).json
  const sets = permissions.flatMap((name) => [permissions.filter((other) => other !== name), [name]])
  return yield* Effect.forEach(sets, (names) =>
    token({ userId: id, kind: "fine_grained", permissions: Object.fromEntries(names.map((name) => [name, "write"])) })
  )
})

/** Maximum CPU time of an answer (milliseconds), and further attempts of a slow one. */
const MAX_MILLIS = 300
const ATTEMPTS = 4

/** Maximum shown problems, and characters of an answer. */
const SHOWN_PROBLEMS = 10
const MAX_TEXT = 500

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns what an error lacks of GitHub's form. Errors of the syntax have no type, as GitHub's. */
const problemOf = (error: unknown): string | undefined => {
  if (!isRecord(error)) return "is no object"
  const { extensions, locations, message, path, type } = error
  if (typeof message !== "string" || message === "") return "has no message"
  const isPlace = (place: unknown) => isRecord(place) && Number(place["line"]) > 0 && Number(place["column"]) > 0
  if (locations !== undefined && !(Array.isArray(locations) && locations.every(isPlace))) return "has wrong locations"
  if (path !== undefined && !Array.isArray(path)) return "has no path"
  const hasCode = typeof type === "string" || (isRecord(extensions) && typeof extensions["code"] === "string")
  return path !== undefined && !hasCode ? "has neither a type nor a code" : undefined
}

/**
 * Sends random documents. Checks that none fails with a 5xx or takes long, that errors have GitHub's form, and that the
 * data stays consistent. Returns counts by outcome: `data`, `partial`, `errors`, or the status if it is not 200.
 */
export const run = Effect.fnUntraced(function* (count: number, seed: number) {
  const { ask, repos } = yield* TestForge
  const { names, path } = yield* ConformanceForge
  const oids = ["{commit}", "{parent}", "{tree}", "{blob}", "{tag}", "{clash}"].map((name) => names[name] ?? name)
  const send = Effect.fnUntraced(function* (token: string | null, body: object) {
    const before = process.threadCpuUsage()
    const answer = yield* ask("POST", "/graphql", { token, body })
    const { system, user } = process.threadCpuUsage(before)
    return { ...answer, millis: (system + user) / 1000 }
  })
  const callers = [...tokens, ...(yield* limitedTokens)]
  // Loads the library.
  yield* send("olive", { query: "{ viewer { login } }" })
  const outcomes = new Map<string, number>()
  const problems: Array<string> = []
  for (let index = 0; index < count; index++) {
    const { query, variables } = RandomDocuments.make(seed + index, oids)
    const token = callers[index % callers.length] ?? null
    const shown = `seed ${seed + index} as ${token}: ${query} ${JSON.stringify(variables)}`
    const answer = yield* send(token, { query, variables })
    const { json, status, text } = answer
    if (status >= 500) problems.push(`${status} ${shown}\n${text.slice(0, MAX_TEXT)}`)
    if (text.includes(repos)) problems.push(`a path of the machine: ${shown}`)
    const errors: ReadonlyArray<unknown> = json?.errors ?? []
    if (status === 200 && errors.length === 0 && !isRecord(json?.data))
      problems.push(`neither data nor errors: ${shown}`)
    for (const error of errors) {
      const problem = problemOf(error)
      if (problem !== undefined) problems.push(`an error ${problem}: ${JSON.stringify(error)} ${shown}`)
    }
    let { millis } = answer
    // The forge is in this thread, so it stalls no longer. The CPU time hardly depends on other processes.
    for (let attempt = 0; attempt < ATTEMPTS && millis > MAX_MILLIS; attempt++)
      millis = Math.min(millis, (yield* send(token, { query, variables })).millis)
    if (millis > MAX_MILLIS) problems.push(`${Math.round(millis)} ms: ${shown}`)
    const outcome =
      status !== 200 ? String(status) : errors.length === 0 ? "data" : isRecord(json?.data) ? "partial" : "errors"
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  assert.deepStrictEqual(problems.slice(0, SHOWN_PROBLEMS), [], `${problems.length} problems`)
  const data = join(repos, "../data")
  assert.deepStrictEqual(yield* Effect.promise(() => ForgeRows.damage(data)), [])
  for (const owner of readdirSync(join(data, "repositories")))
    for (const name of readdirSync(join(data, "repositories", owner)))
      assert.strictEqual(git(join(data, "repositories", owner, name), ["fsck", "--strict", "--no-dangling"]), "")
  assert.strictEqual(git(path, ["fsck", "--strict", "--no-dangling"]), "")
  return outcomes
})
