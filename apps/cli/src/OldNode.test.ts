import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { oldNodeError } from "./OldNode.ts"

describe("oldNodeError", () => {
  it("names both versions, and a line that passes the same arguments on", () => {
    const args = ["search", "rate limit", "it's", "", "a&b", "--repos=~/src", "$HOME"]
    const error = oldNodeError("20.20.2", args, "linux")
    assert.include(error, "tongs needs Node 24 or newer, and this is Node 20.20.2.")
    const line = error.split("\n").find((line) => line.includes("npx")) ?? ""
    assert.match(line, /^ {2}npx -p node@24 -p tongs tongs search 'rate limit' /)
    const script = `npx() { shift 5; printf '%s\\0' "$@"; }; ${line}`
    assert.deepStrictEqual(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1), args)
  })

  it("quotes for the shell of Windows", () => {
    assert.include(oldNodeError("18.20.8", ["search", 'a "b"'], "win32"), 'tongs search "a \\"b\\""')
  })
})
