import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as ProcessName from "../base/ProcessName.ts"
import { folder } from "./Fixture.test-support.ts"
import * as PushJournal from "./PushJournal.ts"

/** The id of an ended process. */
const gone = spawnSync("true").pid

const lineOf = (quarantine: string, git: number) => {
  const sid = `20260101T000000.000000Z-H00000000-P${git.toString(16).padStart(8, "0")}`
  return `${JSON.stringify({ event: "def_param", sid, param: "GIT_QUARANTINE_PATH", value: quarantine })}\n`
}

/** A served repository with quarantine folders, an isolated git directory, and journals. */
const setUp = Effect.map(folder, (root) => {
  const [dirs, objects] = [join(root, "git"), join(root, "served", "objects")]
  const gitDir = join(dirs, "hello.git")
  mkdirSync(objects, { recursive: true })
  mkdirSync(gitDir, { recursive: true })
  mkdirSync(join(dirs, "pushes"))
  symlinkSync(objects, join(gitDir, "objects"))
  /** Creates a quarantine folder, and the path that git reports. */
  const quarantine = (name: string) => {
    mkdirSync(join(objects, name, "pack"), { recursive: true })
    return join(`${gitDir}/./objects`, name)
  }
  const write = (name: string, lines: string) => {
    const path = join(dirs, "pushes", name)
    writeFileSync(path, lines)
    return path
  }
  const nameOf = (forge: number, at: number, host = hostname()) =>
    `${forge}-00000000-0000-0000-0000-${String(at).padStart(12, "0")}-${encodeURIComponent(host)}`
  return { dirs, objects, quarantine, write, nameOf }
})

describe("journals of pushes", () => {
  it.effect("sweeps the folders of ended processes only, and those of no other program", () =>
    Effect.gen(function* () {
      const { dirs, nameOf, objects, quarantine, write } = yield* setUp
      quarantine("tmp_objdir-incoming-other")
      const dead = write(nameOf(gone, 1), lineOf(quarantine("tmp_objdir-incoming-dead"), gone))
      const orphan = write(nameOf(gone, 2), lineOf(quarantine("tmp_objdir-incoming-orphan"), process.pid))
      const forge = write(nameOf(process.ppid, 3), lineOf(quarantine("tmp_objdir-incoming-forge"), gone))
      const host = write(nameOf(gone, 4, "elsewhere"), lineOf(quarantine("tmp_objdir-incoming-host"), gone))
      const uuid = "-00000000-0000-0000-0000-000000000006"
      const [, own = ""] = ProcessName.own.split(".")
      const elsewhere = write(`${gone}.0123456789ab${uuid}`, lineOf(quarantine("tmp_objdir-incoming-elsewhere"), gone))
      const ended = write(`${gone}.${own}${uuid}`, lineOf(quarantine("tmp_objdir-incoming-ended"), gone))
      const outside = join(objects, "..", "objects")
      write(nameOf(gone, 5), lineOf(join(outside, "tmp_objdir-incoming-other"), gone) + lineOf(outside, gone))
      yield* TestClock.setTime(Date.now())
      yield* PushJournal.sweep(dirs)
      assert.deepStrictEqual([dead, ended].filter(existsSync), [])
      assert.deepStrictEqual([orphan, forge, host, elsewhere].map(existsSync), [true, true, true, true])
      assert.sameMembers(
        readdirSync(objects),
        ["elsewhere", "forge", "host", "orphan", "other"].map((name) => `tmp_objdir-incoming-${name}`)
      )
      // Ids of processes can be reused, but no push takes two hours.
      for (const path of [orphan, forge, host, elsewhere]) utimesSync(path, 0, 0)
      yield* PushJournal.sweep(dirs)
      assert.deepStrictEqual(readdirSync(objects), ["tmp_objdir-incoming-other"])
      assert.deepStrictEqual(readdirSync(join(dirs, "pushes")), [])
    })
  )

  it.effect("removes the folder of its own push at the end, and not before", () =>
    Effect.gen(function* () {
      const { dirs, objects, quarantine } = yield* setUp
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { GIT_TRACE2_EVENT: path } = yield* PushJournal.make(dirs)
          writeFileSync(path, lineOf(quarantine("tmp_objdir-incoming-own"), gone))
          yield* PushJournal.sweep(dirs)
          assert.lengthOf(readdirSync(objects), 1)
        })
      )
      assert.deepStrictEqual([...readdirSync(objects), ...readdirSync(join(dirs, "pushes"))], [])
    })
  )
})
