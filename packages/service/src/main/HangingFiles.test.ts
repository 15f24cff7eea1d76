/** Repositories with endless files, such as pipes, do not delay other requests. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { layer as forge, TestForge } from "./Forge.test-support.ts"
import { git } from "../git/Fixture.test-support.ts"

const pipe =
  (...names: ReadonlyArray<string>) =>
  (path: string) => {
    for (const name of names) {
      rmSync(join(path, name), { recursive: true, force: true })
      mkdirSync(dirname(join(path, name)), { recursive: true })
      execFileSync("mkfifo", [join(path, name)])
    }
  }

const endless = (name: string) => (path: string) => {
  rmSync(join(path, name), { force: true })
  symlinkSync("/dev/zero", join(path, name))
}

const folderAt = (name: string) => (path: string) => {
  rmSync(join(path, name), { force: true })
  mkdirSync(join(path, name))
}

/** Creates a sparse file of 1 GiB. */
const huge = (name: string) => (path: string) => {
  writeFileSync(join(path, name), "")
  truncateSync(join(path, name), 1024 ** 3)
}

const objectsOf = (path: string): ReadonlyArray<string> =>
  readdirSync(join(path, "objects")).flatMap((folder) =>
    /^[0-9a-f]{2}$/.test(folder)
      ? readdirSync(join(path, "objects", folder)).map((name) => join("objects", folder, name))
      : []
  )

/** All objects as pipes in an alternate, where the forge does not look. */
const pipesInAlternate = (path: string) => {
  const objects = objectsOf(path)
  const alternate = `${path.replace(/\.git$/, "")}-alternate`
  pipe(...objects)(alternate)
  writeFileSync(join(path, "objects", "info", "alternates"), join(alternate, "objects"))
  for (const name of objects) rmSync(join(path, name))
}

/** All kinds of damage, by the names of repositories. */
const allFaults: Readonly<Record<string, (path: string) => void>> = {
  "pipe-packed-refs": pipe("packed-refs"),
  "pipe-ref": pipe("refs/heads/x"),
  "pipe-main": pipe("refs/heads/main"),
  "pipe-head": pipe("HEAD"),
  "pipe-objects": (path) => pipe(...objectsOf(path))(path),
  "pipe-alternates": pipe("objects/info/alternates"),
  "pipe-commit-graph": pipe("objects/info/commit-graph"),
  "pipe-pack": pipe("objects/pack/pack-0123456789012345678901234567890123456789.idx"),
  "pipe-shallow": pipe("shallow"),
  "pipe-config": pipe("config"),
  "pipe-commondir": pipe("commondir"),
  "pipe-include": (path) => {
    pipe("included")(path)
    git(path, ["config", "--file", "config", "include.path", join(path, "included")])
  },
  "pipe-attributes": pipe("info/attributes"),
  "pipe-grafts": pipe("info/grafts"),
  "endless-packed-refs": endless("packed-refs"),
  "endless-head": endless("HEAD"),
  "endless-config": endless("config"),
  "endless-ref": endless("refs/heads/x"),
  "folder-packed-refs": folderAt("packed-refs"),
  "folder-config": folderAt("config"),
  "huge-packed-refs": huge("packed-refs"),
  "huge-ref": huge("refs/heads/x"),
  "huge-config": huge("config"),
  "huge-head": huge("HEAD")
}

/** All in `npm run test:long`, otherwise every second. */
const faults = Object.entries(allFaults).filter(
  (_, index) => process.env["TONGS_LONG_TESTS"] !== undefined || index % 2 === 0
)
const names = faults.map(([name]) => name)

/** Repositories that are still served, because git ignores these files or treats HEAD as detached. */
const harmless = ["pipe-include", "pipe-attributes", "pipe-grafts", "pipe-commondir", "huge-head"].filter((name) =>
  names.includes(name)
)

/** Repositories that hang until the deadline of git commands, because only git reads the objects. */
const hanging = Array.from({ length: 10 }, (_, at) => `pipe-borrowed-${at}`)

const prepare = (repos: string) => {
  const seed = join(repos, "healthy")
  mkdirSync(seed, { recursive: true })
  git(seed, ["init", "--quiet", "--initial-branch=main"])
  writeFileSync(join(seed, "a.txt"), "one\n")
  git(seed, ["add", "a.txt"])
  git(seed, ["commit", "--quiet", "-m", "first"])
  for (const [name, spoil] of faults) {
    const path = join(repos, `${name}.git`)
    git(seed, ["clone", "--quiet", "--bare", "--no-hardlinks", seed, path])
    spoil(path)
  }
  for (const name of hanging) {
    const path = join(repos, `${name}.git`)
    git(seed, ["clone", "--quiet", "--bare", "--no-hardlinks", seed, path])
    pipesInAlternate(path)
  }
}

/** In milliseconds: far more than a busy machine needs, and a fraction of the deadline of a git command. */
const SOON = 20_000

layer(forge(prepare), { timeout: "2 minutes", excludeTestServices: true })(
  "files for which git waits for ever",
  (it) => {
    it.effect("do not delay other repositories, lists or searches", () =>
      Effect.gen(function* () {
        const { base, get, owner } = yield* TestForge
        const within = (path: string) =>
          Effect.timeoutOrElse(get(path), { duration: SOON, orElse: () => Effect.die(`${path} hangs`) })
        const hung = yield* Effect.forkChild(
          Effect.forEach(
            hanging.flatMap((name) =>
              ["", "/commits", "/branches", "/contents/a.txt"].map((path) => `${base}/${name}${path}`)
            ),
            (path) => get(path),
            { concurrency: "unbounded" }
          )
        )
        const answers = yield* Effect.forEach(
          names,
          (name) =>
            Effect.forEach(["", "/commits", "/contents/a.txt", "/branches"], (path) =>
              Effect.map(within(`${base}/${name}${path}`), ({ headers, status }) => ({ name, headers, status }))
            ),
          { concurrency: "unbounded" }
        )
        for (const { headers, name, status } of answers.flat()) {
          assert.include(harmless.includes(name) ? [200] : [404, 503], status, name)
          assert.strictEqual(headers["retry-after"] !== undefined, status === 503)
        }
        for (const path of ["", "/commits", "/contents/a.txt", "/branches", "/git/trees/main"]) {
          assert.strictEqual((yield* within(`${base}/healthy${path}`)).status, 200)
        }
        const listed = yield* within("/user/repos?per_page=100")
        const served: ReadonlyArray<string> = listed.json.map(({ name }: { name: string }) => name)
        assert.deepStrictEqual(served.toSorted(), ["healthy", ...harmless].toSorted())

        // Each search has a separate deadline, so the first searches can end before the index is built.
        const search = within(`/search/code?q=${encodeURIComponent(`one user:${owner}`)}`)
        const found = yield* Effect.repeat(search, { times: 5, until: ({ json }) => json.total_count > 0 })
        assert.isAtLeast(found.json.total_count, 1)
        assert.isUndefined(hung.pollUnsafe(), "the others still hang")
        yield* Fiber.interrupt(hung)
      })
    )
  }
)
