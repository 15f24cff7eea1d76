import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder } from "../git/Fixture.test-support.ts"
import * as DataFolder from "./DataFolder.ts"

it.effect("creates missing parents for the owner only, and keeps an existing folder", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a/b/c")
    for (const _ of [1, 2]) DataFolder.make(path)
    assert.strictEqual(statSync(join(path, "..")).mode & 0o777, 0o700)
  })
)

it.effect("reports the reason of a failure", () =>
  Effect.gen(function* () {
    const root = yield* folder
    writeFileSync(join(root, "file"), "")
    symlinkSync(join(root, "nothing"), join(root, "link"))
    symlinkSync("loop", join(root, "loop"))
    const cases: ReadonlyArray<readonly [path: string, said: string | RegExp]> = [
      [join(root, "file"), "/file is a file, not a folder"],
      [join(root, "file/data"), "/file is a file, not a folder"],
      [join(root, "link"), "/link is a broken symbolic link"],
      [join(root, "link/data"), "/link is a broken symbolic link"],
      [join(root, "loop/data"), "ELOOP"],
      [join(root, "a".repeat(300)), "ENAMETOOLONG"],
      // Node's recursive mkdir would loop forever.
      ...(existsSync("/proc/self") ? ([["/proc/none/data", "/proc does not allow new folders"]] as const) : []) // a pair
    ]
    for (const [path, said] of cases) assert.throws(() => DataFolder.make(path), said)
  })
)
