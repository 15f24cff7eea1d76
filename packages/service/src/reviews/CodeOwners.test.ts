import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../git/Fixture.test-support.ts"
import * as CodeOwners from "./CodeOwners.ts"
import { random } from "./PushHistory.test-support.ts"

const FILES = 200
const PATHS = 40

const namesOf = (file: CodeOwners.CodeOwners, path: string) => file.ownersOf(path).map(({ name }) => name)

describe("CodeOwners", () => {
  it("finds the owners of the last pattern that matches", () => {
    const file = CodeOwners.parse(
      [
        "# All files",
        "*       @everyone # except for those below",
        "",
        "*.js    @js-owner js@example.org",
        "/build/logs/ @doctocat",
        "docs/*  docs@example.org",
        "apps/   @octocat",
        "/scripts/ @doctocat @acme/scripts",
        "**/logs @logs",
        "/apps/github",
        "with\\ space @spaced",
        "name#hash @hash"
      ].join("\r\n")
    )
    assert.deepStrictEqual(file.mistakes, [])
    assert.deepStrictEqual(namesOf(file, "readme"), ["@everyone"])
    assert.deepStrictEqual(namesOf(file, "src/a.js"), ["@js-owner", "js@example.org"])
    assert.deepStrictEqual(namesOf(file, "docs/a.md"), ["docs@example.org"])
    assert.deepStrictEqual(namesOf(file, "docs/deep/a.md"), ["@everyone"])
    assert.deepStrictEqual(namesOf(file, "x/apps/a"), ["@octocat"])
    assert.deepStrictEqual(namesOf(file, "apps"), ["@everyone"])
    assert.deepStrictEqual(namesOf(file, "scripts/a"), ["@doctocat", "@acme/scripts"])
    assert.deepStrictEqual(namesOf(file, "deep/logs/a"), ["@logs"])
    assert.deepStrictEqual(namesOf(file, "apps/github/a"), [])
    assert.deepStrictEqual(namesOf(file, "x/with space"), ["@spaced"])
    assert.deepStrictEqual(namesOf(file, "name#hash"), ["@hash"])
    assert.deepStrictEqual(file.rules[5]?.owners[1], { _tag: "Team", name: "@acme/scripts", column: 21 })
  })

  it("skips lines with mistakes, and names the first of each", () => {
    const file = CodeOwners.parse("***/*.rb @monalisa\n*.txt docs@\n/ @a\n!x @a\n[a-z] @a\n\\#x @a\n*.rb @a b @c/\n")
    assert.deepStrictEqual(
      file.mistakes.map(({ column, kind, line, suggestion }) => [line, column, kind, suggestion]),
      [
        [1, 1, "Invalid pattern", "Did you mean `**/*.rb`?"],
        [2, 7, "Invalid owner", null],
        [3, 1, "Invalid pattern", "The pattern `/` will never match anything, did you mean `*` instead?"],
        [4, 1, "Invalid pattern", null],
        [5, 1, "Invalid pattern", null],
        [6, 1, "Invalid pattern", null],
        [7, 9, "Invalid owner", null]
      ]
    )
    assert.deepStrictEqual(namesOf(file, "a.rb"), [])
  })

  it.effect("matches as git matches ignored files, except for the files of subfolders of `folder/*`", () =>
    Effect.gen(function* () {
      const path = yield* folder
      git(path, ["init", "--quiet"])
      mkdirSync(join(path, ".git/info"), { recursive: true })
      for (let seed = 0; seed < FILES; seed++) {
        const below = random(seed)
        const pick = (all: ReadonlyArray<string>) => all[below(all.length)] ?? ""
        const segment = () => pick(["a", "b", "ab", "*", "**", "a*", "*b", "?", "a?", "a**b", "\\*", "b.c", "a b"])
        const escaped = (text: string) => text.replaceAll(" ", "\\ ")
        const pattern = () => {
          const body = Array.from({ length: 1 + below(3) }, segment).join("/")
          return escaped(`${pick(["", "/"])}${body}${pick(["", "", "/"])}`)
        }
        const patterns = Array.from({ length: 1 + below(6) }, pattern).filter((text) => !/(?:^|\/)\*+$/.test(text))
        const name = () => pick(["a", "b", "ab", "aab", "b.c", "a b", "axb", "*"])
        const paths = Array.from({ length: PATHS }, () => Array.from({ length: 1 + below(4) }, name).join("/"))
        const file = CodeOwners.parse(patterns.map((text, index) => `${text} @o${index}\n`).join(""))
        assert.deepStrictEqual(file.mistakes, [], patterns.join(" | "))
        // Each pattern is a file of its own, so that git names the last one that matches.
        const expected = new Map<string, string>()
        for (const [index, text] of patterns.entries()) {
          writeFileSync(join(path, ".git/info/exclude"), `${text}\n`)
          for (const ignored of ignoredBy(path, paths)) expected.set(ignored, `@o${index}`)
        }
        for (const one of paths) {
          assert.strictEqual(
            namesOf(file, one)[0],
            expected.get(one),
            `seed ${seed}: ${one} in ${patterns.join(" | ")}`
          )
        }
      }
    })
  )
})

const ignoredBy = (path: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    const input = paths.join("\0")
    const options = { cwd: path, input, encoding: "utf8" as const }
    return execFileSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], options).split("\0")
  } catch {
    // Git exits with 1 if it ignores none.
    return []
  }
}
