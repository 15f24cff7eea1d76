import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as SessionFile from "./SessionFile.ts"

let folder = ""
beforeEach(() => {
  folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-session-"))
})
afterEach(() => Fs.rmSync(folder, { recursive: true, force: true }))

describe("SessionFile", () => {
  it("keeps one session for each name, readable only for the user", () => {
    SessionFile.write(folder, "a", { split: 1 })
    SessionFile.write(folder, "b", { split: 2 })
    SessionFile.write(folder, "a", { split: 3 })
    assert.deepStrictEqual(SessionFile.read(folder, "a"), { split: 3 })
    assert.deepStrictEqual(SessionFile.read(folder, "b"), { split: 2 })
    assert.strictEqual(SessionFile.read(folder, "constructor"), undefined)
    assert.strictEqual(Fs.statSync(Path.join(folder, "sessions.json")).mode & 0o777, 0o600)
    assert.deepStrictEqual(Fs.readdirSync(folder), ["sessions.json"])
  })

  it("ignores a file that is broken, foreign, huge or not a file, and replaces it", () => {
    const path = Path.join(folder, "sessions.json")
    for (const text of ["{", "[]", "null", `{"a":"${"x".repeat(1_000_001)}"}`]) {
      Fs.writeFileSync(path, text)
      assert.strictEqual(SessionFile.read(folder, "a"), undefined)
      SessionFile.write(folder, "a", 1)
      assert.strictEqual(SessionFile.read(folder, "a"), 1)
    }
    Fs.rmSync(path)
    Fs.mkdirSync(path)
    assert.strictEqual(SessionFile.read(folder, "a"), undefined)
    SessionFile.write(folder, "a", 1)
    assert.deepStrictEqual(Fs.readdirSync(folder), ["sessions.json"])
  })

  it("drops the oldest sessions", () => {
    for (let index = 0; index < 60; index++) SessionFile.write(folder, `repo ${index}`, index)
    assert.strictEqual(SessionFile.read(folder, "repo 9"), undefined)
    assert.strictEqual(SessionFile.read(folder, "repo 10"), 10)
    const large = "x".repeat(300_000)
    SessionFile.write(folder, "large", large)
    SessionFile.write(folder, "larger", large)
    assert.strictEqual(SessionFile.read(folder, "large"), undefined)
    assert.strictEqual(SessionFile.read(folder, "larger"), large)
  })

  it("ignores a folder that cannot be written", () => {
    const file = Path.join(folder, "file")
    Fs.writeFileSync(file, "")
    SessionFile.write(file, "a", 1)
    assert.strictEqual(SessionFile.read(file, "a"), undefined)
  })
})
