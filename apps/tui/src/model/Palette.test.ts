import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as Registry from "../screens/Registry.ts"
import * as Palette from "./Palette.ts"

const item = (label: string, more: Partial<Palette.Item> = {}): Palette.Item => ({
  label,
  detail: "",
  key: "",
  unavailable: undefined,
  choice: { _tag: "Profile", name: label },
  ...more
})

const labels = (items: ReadonlyArray<Palette.Item>, text: string) =>
  Palette.filter(items, text).map(({ label }) => label)

/** Returns all in `npm run test:long`, otherwise every eighth. */
const sample = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  process.env["TONGS_LONG_TESTS"] === undefined ? all.filter((_, index) => index % 8 === 0) : all

describe("Palette", () => {
  it("prefers short names, then aliases, and puts unavailable items last", () => {
    const items = [
      item("branches of the release", { unavailable: "read-only mode" }),
      item("Compare two refs", { words: "branches" }),
      item("branches")
    ]
    assert.deepStrictEqual(labels(items, "branches"), ["branches", "Compare two refs", "branches of the release"])
    assert.deepStrictEqual(labels(items, "nothing like it"), [])
  })

  it("prefers recent items among equal ones", () => {
    assert.deepStrictEqual(labels([item("files 1"), item("files 2"), item("files 3", { isRecent: true })], "fil"), [
      "files 3",
      "files 1",
      "files 2"
    ])
    const choice = { _tag: "Profile", name: "a" } as const // a literal tag
    assert.deepStrictEqual(Palette.remember(["x", "profile a"], choice), ["profile a", "x"])
  })

  it.live("finds the screens of the place by their names in the tabs", () =>
    Effect.gen(function* () {
      const { press, until } = yield* ModelDriver.start({ respond: () => ({ status: 200, body: [] }) })
      yield* until("No commits")
      for (const name of ["webhooks", "branches", "artifacts"]) {
        press(":", ...name)
        yield* until(`❯ ${name}`, "octo/hello")
        press("escape")
      }
    })
  )

  it.live(
    "opens the form or the confirmation of an operation, and asks for the arguments of a screen",
    () =>
      Effect.gen(function* () {
        const { press, text } = yield* ModelDriver.start({ respond: () => ({ status: 500, body: {} }) }, 160, 48)
        const shows = (words: string) => text().some((line) => line.includes(words))
        for (const { group, name, operation } of sample(allEntries().filter(({ readonly }) => !readonly))) {
          press(":", ...`${group}.${name}`, "enter")
          assert.isTrue(shows(`╭─ ${operation.summary.slice(0, 60)}`), `${group}.${name}\n${text().join("\n")}`)
          press("escape")
          assert.isFalse(shows("╭─"), `${group}.${name} closes`)
        }
        for (const { entry, id, required } of sample(Registry.all())) {
          if (entry === undefined || required.every((name) => ["owner", "repo"].includes(name))) continue
          press(":", ...id, "enter")
          assert.isTrue(shows("╭─"), `${id}\n${text().join("\n")}`)
          press("escape")
        }
      }),
    180_000
  )
})
