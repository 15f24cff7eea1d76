import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as ProcessName from "../base/ProcessName.ts"
import * as PendingFolders from "./PendingFolders.ts"

const withFolder = <E>(use: (parent: string) => Effect.Effect<void, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-pending-"))),
    use,
    (parent) => Effect.sync(() => rmSync(parent, { recursive: true }))
  )

it.effect("only the folders of ended processes without a row are removed", () =>
  withFolder(
    Effect.fnUntraced(function* (parent) {
      const { pid } = spawnSync("true")
      for (const name of ["lost.git", "added.git", "other.git", "building.git"]) mkdirSync(join(parent, name))
      for (const name of ["lost.git", "added.git", "absent.git"]) writeFileSync(join(parent, `.pending-${pid}-${name}`), "") // prettier-ignore
      yield* PendingFolders.mark(join(parent, "building.git"))
      const elsewhere = `.pending-${pid}.0123456789ab-other.git`
      writeFileSync(join(parent, elsewhere), "")
      yield* TestClock.setTime(Date.now())
      const sweep = PendingFolders.sweep(parent, (path) => Effect.succeed(basename(path) === "added.git"))
      yield* sweep
      const left = [`.pending-${ProcessName.own}-building.git`, "added.git", "building.git"]
      assert.sameMembers(readdirSync(parent), [...left, elsewhere, "other.git"])
      // No work of another host takes more than a day.
      yield* TestClock.adjust("25 hours")
      yield* sweep
      assert.sameMembers(readdirSync(parent), left)
    })
  )
)

it.effect("a folder is removed if its row cannot be added, and loses its mark", () =>
  withFolder(
    Effect.fnUntraced(function* (parent) {
      const path = join(parent, "new.git")
      for (const adding of [Effect.void, Effect.fail("refused"), Effect.interrupt]) {
        yield* PendingFolders.mark(path)
        mkdirSync(path)
        const exit = yield* Effect.exit(PendingFolders.settle(path)(adding))
        assert.strictEqual(existsSync(path), exit._tag === "Success")
        rmSync(path, { recursive: true, force: true })
        assert.deepStrictEqual(readdirSync(parent), [])
      }
    })
  )
)
