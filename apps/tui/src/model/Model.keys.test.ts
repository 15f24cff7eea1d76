/** Random keys, and the requests that such keys may send to the forge. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Relations from "@tongs/core/contract/Relations"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Operations from "../actions/Operations.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as Verbs from "../screens/Verbs.ts"
import * as SampleResponses from "../SampleResponses.test-support.ts"
import * as StyledLine from "../text/StyledLine.ts"

/** A generator of the same numbers from 0 to 1 in each run (mulberry32). */
const randomNumbers = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

/** All keys that a command or an input handles, without the keys that end the program. */
const allKeys = [
  ...KeyBindings.commands.flatMap(({ id, keys }) => (id === "quit" ? [] : keys)),
  ..."abcdefgxyz0123456789 -_./:é日",
  ..."enter escape tab backspace up down left right ctrl-s ctrl-u ctrl-w ctrl-n delete".split(" "),
  ..."enter enter enter enter escape ctrl-s".split(" ")
]

/** Keys that lead into the operations, which random keys rarely reach. */
const sequences: ReadonlyArray<ReadonlyArray<string>> = [
  [":", ..."delete", "enter"],
  [":", ..."webhooks", "enter"],
  [":", ..."update", "enter"],
  [":", ..."create", "enter"],
  [":", ..."block", "enter"],
  ["a", "down", "enter"],
  [" ", "D"],
  ["*", "D"],
  ["D"],
  ["D", "enter"],
  ["t", "enter"],
  ["m", "x", "ctrl-s"],
  ["c", "x", "ctrl-s"],
  ["u"]
]

const keysFrom = (random: () => number, count: number): ReadonlyArray<string> => {
  const keys: Array<string> = []
  const pick = <A>(items: ReadonlyArray<A>) => items[Math.floor(random() * items.length)]
  while (keys.length < count) keys.push(...(random() < 0.15 ? (pick(sequences) ?? []) : [pick(allKeys) ?? "j"]))
  return keys.slice(0, count)
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Starts on a forge that accepts everything. */
const start = Effect.fnUntraced(function* (isReadOnly: boolean) {
  const sent: Array<Sent> = []
  const ui = yield* ModelDriver.start(
    {
      isReadOnly,
      respond: (path, _query, { body, method }) => {
        sent.push({ method, path, input: Presentation.isRow(body) ? body : {} })
        return SampleResponses.of(method, path)
      }
    },
    120,
    30
  )
  return { ...ui, sent }
})

/** Lets responses arrive. */
const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const keys = process.env["TONGS_LONG_TESTS"] === undefined ? 1_000 : 10_000

/** Returns the titles of the windows of an operation: those of its verbs, and the summary. */
const namesOf = ({ group, name, operation }: CatalogEntry): ReadonlyArray<string> => [
  ...Verbs.all.flatMap(({ deed, label }) =>
    deed._tag === "Operation" && deed.operation === `${group}.${name}` ? [Operations.titleOf({ label })] : []
  ),
  operation.summary
]

describe("random keys", () => {
  it.live(
    "send nothing but GET requests in read-only mode",
    () =>
      Effect.gen(function* () {
        const ui = yield* start(true)
        for (const [index, key] of keysFrom(randomNumbers(12), keys).entries()) {
          ui.press(key)
          if (index % 10 === 0) yield* settle
        }
        assert.deepStrictEqual(
          ui.sent.filter(({ method }) => method !== "GET"),
          []
        )
        assert.isAbove(new Set(ui.sent.map(({ path }) => path)).size, 12, "the keys reach many screens")
        assert.deepStrictEqual(ui.exits, [])
      }),
    120_000
  )

  it.live(
    "delete nothing, and do nothing that cannot be undone, without the confirmation that names it",
    () =>
      Effect.gen(function* () {
        const ui = yield* start(false)
        let writes = 0
        for (const [index, key] of keysFrom(randomNumbers(34), keys).entries()) {
          const before = ui.sent.length
          const window = ui.view().announcement()
          ui.press(key)
          yield* settle
          if (index % 10 === 0) yield* settle
          for (const { input, method, path } of ui.sent.slice(before)) {
            if (method === "GET") continue
            writes++
            // An argument with a slash makes the path ambiguous, but the window names the operation.
            const entry =
              SampleResponses.entryOf(method, path) ??
              allEntries().find((entry) => namesOf(entry).includes(window.title))
            const isRisky =
              entry === undefined ||
              (Relations.needsConfirmation(entry, input) && Relations.readBefore(entry) === undefined)
            if (method !== "DELETE" && !isRisky) continue
            const words = [window.title, ...window.introduction].join("\n")
            assert.strictEqual(key, "enter", `${method} ${path}\n${words}`)
            assert.isTrue(entry === undefined || namesOf(entry).some((name) => words.includes(name)), words)
            if (!isRisky) assert.include(words, "Enter confirms")
            else assert.include(words, `Type ${window.input?.text ?? ""} and press Enter to confirm`)
          }
        }
        assert.isAbove(writes, 0, "the keys reach operations")
      }),
    120_000
  )

  it.live(
    "always leave lines that fill the screen, without control characters",
    () =>
      Effect.gen(function* () {
        const ui = yield* start(false)
        for (const [index, key] of keysFrom(randomNumbers(56), keys / 5).entries()) {
          if (index % 50 === 0) ui.resize(40 + ((index / 50) % 7) * 30, 10 + ((index / 50) % 5) * 10)
          ui.press(key)
          if (index % 10 === 0) yield* settle
          const { columns, lines, rows } = ui.view()
          assert.lengthOf(lines, rows)
          for (const line of lines) {
            assert.strictEqual(StyledLine.width(line), columns, StyledLine.text(line))
            assert.notMatch(StyledLine.text(line), /\p{Cc}/u)
          }
        }
      }),
    120_000
  )
})
