import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git } from "../Fixture.test-support.ts"
import * as WorkTreeReader from "./WorkTreeReader.ts"

const LIMIT = 1000

const withFolder = <A, E>(use: (path: string) => Effect.Effect<A, E>) =>
  Effect.flatMap(folder, (path) => use(realpathSync(path)))

const text = (path: string, name: string) => WorkTreeReader.read(path, name, LIMIT)?.bytes?.toString()

describe("WorkTreeReader", () => {
  it.effect("reads a file with git's id for its content", () =>
    withFolder((path) =>
      Effect.sync(() => {
        mkdirSync(join(path, "in"))
        writeFileSync(join(path, "in/a"), "one\n")
        writeFileSync(join(path, "empty"), "")
        const oid = git(path, ["hash-object", "in/a"])
        assert.deepStrictEqual(WorkTreeReader.read(path, "in/a", LIMIT), {
          size: 4,
          bytes: Buffer.from("one\n"),
          oid,
          isStable: true
        })
        assert.strictEqual(text(path, "empty"), "")
        git(path, ["init", "--quiet", "--object-format=sha256", "."])
        const long = WorkTreeReader.read(path, "in/a", LIMIT, "sha256")?.oid
        assert.strictEqual(long, git(path, ["hash-object", "in/a"]))
      })
    )
  )

  it.effect("gives only the size of a file above the limit", () =>
    withFolder((path) =>
      Effect.sync(() => {
        writeFileSync(join(path, "a"), "x".repeat(LIMIT))
        assert.strictEqual(WorkTreeReader.read(path, "a", LIMIT)?.bytes?.length, LIMIT)
        appendFileSync(join(path, "a"), "x")
        assert.deepStrictEqual(WorkTreeReader.read(path, "a", LIMIT), {
          size: LIMIT + 1,
          bytes: undefined,
          oid: undefined,
          isStable: true
        })
      })
    )
  )

  it.effect("reads nothing outside the folder, through links, in .git, or that is not a regular file", () =>
    withFolder((path) =>
      Effect.sync(() => {
        const inside = join(path, "tree")
        mkdirSync(join(inside, ".git"), { recursive: true })
        mkdirSync(join(path, "secrets"))
        for (const name of ["secret", "secrets/secret", "tree/.git/config", "tree/a"]) {
          writeFileSync(join(path, name), "secret")
        }
        symlinkSync("a", join(inside, "link"))
        symlinkSync("../secret", join(inside, "out"))
        symlinkSync("../secrets", join(inside, "dir"))
        execFileSync("mkfifo", [join(inside, "pipe")])
        symlinkSync("/dev/zero", join(inside, "zero"))
        assert.strictEqual(text(inside, "a"), "secret")
        const names =
          "link out dir/secret pipe zero . ../secret dir absent /etc/passwd a/b .git/config .GIT/config a\0b ./a in//a"
        for (const name of ["", ...names.split(" ")]) assert.isUndefined(WorkTreeReader.read(inside, name, LIMIT), name)
        assert.isUndefined(WorkTreeReader.read("/dev", "zero", LIMIT))
        // A link replaces the folder.
        symlinkSync(inside, join(path, "moved"))
        assert.isUndefined(WorkTreeReader.read(join(path, "moved"), "a", LIMIT))
      })
    )
  )

  it.effect("finds a name in another encoding by its decoded path", () =>
    withFolder((path) =>
      Effect.sync(() => {
        const name = Buffer.concat([Buffer.from(`${path}/é/`), Buffer.from("caf\xe9", "latin1")])
        mkdirSync(dirname(join(path, "é/x")))
        writeFileSync(name, "one")
        assert.strictEqual(text(path, "é/café"), "one")
        writeFileSync(join(path, "é/café"), "two")
        assert.strictEqual(text(path, "é/café"), "two")
        rmSync(join(path, "é"), { recursive: true })
        assert.isUndefined(text(path, "é/café"))
      })
    )
  )
})
