import { assert, it } from "@effect/vitest"
import * as Languages from "./Languages.ts"

it("names the language that a misspelled one resembles", () => {
  const similar = ["typscript", "TypeScrpt", "pythn", "javascrip", "pythonn"].map(Languages.similarLanguage)
  assert.deepStrictEqual(similar, ["TypeScript", "TypeScript", "Python", "JavaScript", "Python"])
  // Known names, extensions, and names without a similar one.
  const others = ["typescript", "ts", ".py", "go", "C++", "nosuch", "xx"]
  assert.deepStrictEqual(
    others.filter((name) => Languages.similarLanguage(name) !== undefined),
    []
  )
})
