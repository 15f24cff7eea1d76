import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../Fixture.test-support.ts"
import * as GitConfig from "./GitConfig.ts"

const files = [
  "",
  "[core]\n\tbare = true\n\tRepositoryFormatVersion = 1\n",
  '[a "Sub Section"] Key = v ; comment\n[a.Dotted]x=1 # comment\n[a "q\\"\\\\x"]\n y\n  z = \n',
  '[s]\n a = "quoted ; not a comment" tail\n b = one \\\n   two\n c = " kept "\n d = \\t\\n\\b\\"\\\\\n',
  "\uFEFF[crlf]\r\n a = b\r\n\r\n; comment\r\n[x] y=1\r\n",
  '[include]\n path = /elsewhere\n[includeIf "gitdir:/"]\n path = x\n[s]\n  a-b=1\n  A=2;c',
  "[s] a = x\\\ny # z\n# end",
  "a = 1\n",
  "[s] a = x \\",
  // Git rejects these files.
  "[s\n a = 1\n",
  '[s "x\n"]\n',
  '[s]\n a = "open\n',
  "[s]\n a = \\q\n",
  "[s]\n 1a = 1\n",
  "[s]\n a b = 1\n",
  "[s_t]\n a = 1\n"
]

describe("GitConfig", () => {
  it.effect("accepts and rejects the same files as git", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "config")
      for (const text of files) {
        writeFileSync(file, text)
        const list = () => git("/", ["config", "--no-includes", "--null", "--list", "--file", file])
        const settings = GitConfig.parse(text)
        if (settings === undefined) assert.throws(list, undefined, undefined, text)
        else {
          const printed = settings.map(({ name, value }) => `${name}${value === null ? "" : `\n${value}`}\0`)
          assert.strictEqual(printed.join(""), list(), text)
        }
      }
    })
  )

  it("parses booleans as git does", () => {
    const read = (value: string | null) => GitConfig.parseBoolean(value, false)
    assert.deepStrictEqual(
      [null, "TRUE", "yes", "on", "1", "2"].map(read),
      Array.from({ length: 6 }, () => true)
    )
    assert.deepStrictEqual(
      ["", "false", "no", "off", "0", "maybe"].map(read),
      Array.from({ length: 6 }, () => false)
    )
  })
})
