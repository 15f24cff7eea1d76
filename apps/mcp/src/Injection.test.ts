import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as HostileForge from "./HostileForge.test-support.ts"
import * as HostileText from "./text/HostileText.test-support.ts"
import * as Tools from "./Tools.ts"

const Property = Schema.Struct({
  type: Schema.optionalKey(Schema.Unknown),
  enum: Schema.optionalKey(Schema.Array(Schema.Unknown))
})
const decodeInput = Schema.decodeUnknownSync(
  Schema.Struct({
    properties: Schema.Record(Schema.String, Property),
    required: Schema.optionalKey(Schema.Array(Schema.String))
  })
)

/** Arguments that well-behaved agents give: the required arguments, and optionally all further ones except a cursor. */
const argumentsOf = (inputSchema: unknown, withOptional: boolean) => {
  const { properties, required = [] } = decodeInput(inputSchema)
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { enum: values, type }]) => {
      if (!required.includes(name) && (!withOptional || ["cursor", "repo", "since", "until"].includes(name))) return []
      if (values !== undefined) return [[name, values[0]]]
      if (name === "lines") return [[name, "1-2"]]
      switch (type) {
        case "integer":
        case "number":
          return [[name, 1]]
        case "boolean":
          return [[name, true]]
        case "array":
          return [[name, []]]
        case "object":
          return [[name, {}]]
        default:
          return [[name, "main"]]
      }
    })
  )
}

interface Result {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: unknown }>
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

const around = (text: string, part: string) =>
  text.slice(Math.max(0, text.indexOf(part) - 500), text.indexOf(part) + 500)

/** Asserts that a result shows hostile texts only as data, and no secret. */
const assertSafe = ({ content, structuredContent }: Result, call: string) => {
  for (const part of content) if ("text" in part) HostileText.assertFramed(String(part.text), [], call)
  HostileText.assertStructured(structuredContent, call)
  const whole = JSON.stringify([content, structuredContent])
  for (const secret of [HostileForge.TOKEN, btoa(`x:${HostileForge.TOKEN}`).slice(4, -4), HostileForge.SIGNATURE])
    assert.isFalse(whole.includes(secret), `${call}: a secret in ${around(whole, secret)}`)
}

/** Number of texts that one response shows, at least. Rounds start that many texts later. */
const STEP = 7

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

/** Numbers of the rounds in which to call a tool, by its index. */
type Rounds = (index: number) => ReadonlyArray<number>

const first =
  (count: number): Rounds =>
  () =>
    Array.from({ length: count }, (_, round) => round)

/** In `npm test`, each operation has one of the four rounds; `shift` selects another one. */
const fourOrOne = (shift: number): Rounds => (isLong ? first(4) : (index) => [(index + shift) % 4])

const statuses = [400, 401, 404, 409, 410, 418, 422, 501]

/** In `npm test`, each operation has one round with one of the statuses. */
const oneOrNone = (status: number): Rounds =>
  isLong ? first(1) : (index) => (index % statuses.length === status ? [0] : [])

const run = (options: Parameters<typeof HostileForge.connect>[1], rounds: Rounds, status?: number) =>
  Effect.gen(function* () {
    const behavior: HostileForge.Behavior = { offset: 0, isPlausible: true, isOneLine: false }
    if (status !== undefined) behavior.status = status
    const client = yield* HostileForge.connect(behavior, options)
    const { tools } = yield* client.listTools()
    assert.isAbove(tools.length, 0)
    let calls = 0
    let shown = 0
    for (const [index, tool] of tools.entries()) {
      for (const round of rounds(index)) {
        calls++
        behavior.offset = round * STEP
        behavior.isPlausible = round % 2 === 0
        behavior.isOneLine = round % 3 === 0
        const call = { name: tool.name, arguments: argumentsOf(tool.inputSchema, round % 4 === 3) }
        const exit = yield* Effect.exit(client.callTool(call))
        assert(Exit.isSuccess(exit), `${JSON.stringify(call)}, round ${round}, fails: ${JSON.stringify(exit)}`)
        const result: Result = exit.value
        yield* Effect.sync(() => assertSafe(result, `${tool.name}, round ${round}`))
        if (JSON.stringify(result).includes(HostileText.CANARY)) shown++
      }
    }
    return { shown, calls }
  })

describe("hostile texts are shown as data, and secrets are masked", () => {
  const all = { toolsets: Tools.toolsets(), allowWrites: true }

  for (const structured of [false, true]) {
    const form = structured ? "structured content" : "text"

    it.effect(`in the ${form} of every tool`, () =>
      Effect.gen(function* () {
        const { calls, shown } = yield* run({ structured }, first(isLong ? 20 : 4))
        assert.isAbove(shown, calls / 4)
      })
    )

    it.effect(
      `in the ${form} of every operation`,
      () =>
        Effect.gen(function* () {
          const { calls, shown } = yield* run({ ...all, structured }, fourOrOne(structured ? 2 : 0))
          assert.isAbove(shown, calls / 3)
        }),
      240_000
    )
  }

  it.effect("in resources", () =>
    Effect.gen(function* () {
      const behavior: HostileForge.Behavior = { offset: 0, isPlausible: true, isOneLine: false }
      const client = yield* HostileForge.connect(behavior, {})
      let shown = 0
      for (let round = 0; round < 20; round++) {
        behavior.offset = round * STEP
        behavior.isPlausible = round % 2 === 0
        for (const path of ["contents/f", "contents/", "commits/main", "refs"]) {
          const exit = yield* Effect.exit(client.readResource({ uri: `forge://octo/hello/${path}` }))
          if (Exit.isFailure(exit)) continue
          for (const part of exit.value.contents) {
            if ("text" in part) assertSafe({ content: [{ type: "text", text: part.text }] }, path)
            if (JSON.stringify(part).includes(HostileText.CANARY)) shown++
          }
        }
      }
      assert.isAbove(shown, 20)
    })
  )

  for (const [index, status] of statuses.entries()) {
    it.effect(`in failures with status ${status}`, () =>
      Effect.gen(function* () {
        yield* run({}, first(isLong ? 10 : 2), status)
        yield* run(all, oneOrNone(index), status)
      })
    )
  }
})
