import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as WorkTreeFile from "./WorkTreeFile.ts"

/** Creates a work tree beside a secret file. */
const workTree = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(Fs.realpathSync(Os.tmpdir()), "tongs-tree-"))
    const root = Path.join(folder, "tree")
    Fs.mkdirSync(Path.join(root, ".git"), { recursive: true })
    Fs.mkdirSync(Path.join(root, "src"))
    for (const [path, text] of Object.entries({ "src/a.ts": "a", ".git/config": "", "../secret": "s" }))
      Fs.writeFileSync(Path.join(root, path), text)
    return root
  }),
  (root) => Effect.sync(() => Fs.rmSync(Path.dirname(root), { recursive: true, force: true }))
)

const messageOf = (root: string, path: string) => {
  const found = WorkTreeFile.resolve(root, path)
  return found._tag === "File" ? Path.relative(root, found.file) : found.message
}

describe.skipIf(process.platform === "win32")("WorkTreeFile", () => {
  it.effect("finds a file, also through a link that stays in the work tree", () =>
    Effect.gen(function* () {
      const root = yield* workTree
      Fs.symlinkSync("src", Path.join(root, "link"))
      assert.deepStrictEqual(
        ["src/a.ts", "link/a.ts"].map((path) => messageOf(root, path)),
        ["src/a.ts", "src/a.ts"]
      )
    })
  )

  it.effect("refuses paths and links that lead outside or into the git directory, folders and missing files", () =>
    Effect.gen(function* () {
      const root = yield* workTree
      Fs.symlinkSync("../secret", Path.join(root, "out"))
      Fs.symlinkSync("..", Path.join(root, "up"))
      Fs.symlinkSync(".git/config", Path.join(root, "config"))
      for (const path of ["../secret", "/etc/passwd", "src/../../secret", ".git/config", ".GIT/config", "", "a\\b"])
        assert.match(messageOf(root, path), /is not the path of a file/, path)
      for (const path of ["out", "up/secret", "config"])
        assert.match(messageOf(root, path), /outside of the work/, path)
      assert.match(messageOf(root, "src"), /not a regular file/)
      assert.match(messageOf(root, "gone.ts"), /not on disk/)
    })
  )
})
