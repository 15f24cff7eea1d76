import { execFileSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import * as ShellWord from "./ShellWord.ts"

it("quotes only the words that need quotes", () => {
  assert.strictEqual(ShellWord.quote("src/a-1.ts:7"), "src/a-1.ts:7")
  assert.strictEqual(ShellWord.quote(""), "''")
  assert.strictEqual(ShellWord.quote("it's"), String.raw`'it'\''s'`)
})

it.skipIf(process.platform === "win32")("a shell reads the words back", () => {
  const words = ["plain", "", "it's", "$HOME", "`id`", "a b", "~", "!x", "*", "\\", '"', "line\nline", "größe", "#c"]
  const text = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${words.map(ShellWord.quote).join(" ")}`], {
    encoding: "utf8"
  })
  assert.deepStrictEqual(text.split("\0").slice(0, -1), words)
})
