import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git, workTree } from "../Fixture.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"

const layer = GitRepositories.layer

it.effect("shares one read between concurrent readers of recently changed references", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const oid = git(path, ["rev-parse", "HEAD"])
    const repository = yield* (yield* GitRepositories).open(path)
    for (let round = 0; round < 5; round++) {
      yield* repository.createRef(`refs/heads/r${round}`, oid)
      const found = yield* Effect.forEach(
        Array.from({ length: 100 }, () => repository.refs()),
        (refs) => refs,
        { concurrency: "unbounded" }
      )
      assert.isTrue(found.every((refs) => refs.some(({ name }) => name === `refs/heads/r${round}`)))
      // One list is one snapshot.
      assert.isAtMost(new Set(found).size, 2)
    }
  }).pipe(Effect.provide(layer))
)

it.effect("sees changes in the targets of links among the references", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const refs = join(path, ".git/refs")
    const first = git(path, ["rev-parse", "HEAD"])
    const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
    const elsewhere = yield* folder
    for (const part of ["shared/a", "single"]) {
      mkdirSync(join(elsewhere, part, ".."), { recursive: true })
      writeFileSync(join(elsewhere, part), `${first}\n`)
    }
    symlinkSync(join(elsewhere, "shared"), join(refs, "heads/shared"))
    symlinkSync(join(elsewhere, "single"), join(refs, "heads/single"))
    // Git stops at a loop of links like the file system.
    symlinkSync("../heads", join(refs, "heads/loop"))
    // Sets an old time, because recently changed files are always read again.
    for (const file of [
      ...["shared/a", "single", "shared"].map((name) => join(elsewhere, name)),
      ...["heads", "tags", ".", "../HEAD"].map((name) => join(refs, name))
    ]) {
      utimesSync(file, 1_700_000_000.5, 1_700_000_000.5)
    }
    const repository = yield* (yield* GitRepositories).open(path)
    for (const name of ["shared/a", "single"]) {
      assert.strictEqual((yield* repository.ref(`refs/heads/${name}`))?.oid, first)
    }
    assert.strictEqual(yield* repository.refs(), yield* repository.refs(), "a snapshot that is trusted")
    for (const name of ["shared/a", "single"]) {
      writeFileSync(join(elsewhere, "new"), `${second}\n`)
      renameSync(join(elsewhere, "new"), join(elsewhere, name))
      assert.strictEqual((yield* repository.ref(`refs/heads/${name}`))?.oid, second, name)
    }
  }).pipe(Effect.provide(layer))
)

it.effect("sees a reference file that a program overwrites in place", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const refs = join(path, ".git/refs")
    const file = join(refs, "heads/main")
    const first = git(path, ["rev-parse", "HEAD"])
    const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
    // Sets an old time, because recently changed files are always read again.
    for (const one of [file, ...["heads", "tags", ".", "../HEAD"].map((name) => join(refs, name))]) {
      utimesSync(one, 1_700_000_000.5, 1_700_000_000.5)
    }
    const repository = yield* (yield* GitRepositories).open(path)
    assert.strictEqual((yield* repository.tip).ref?.oid, first)
    assert.strictEqual(yield* repository.refs(), yield* repository.refs(), "a snapshot that is trusted")
    writeFileSync(file, `${second}\n`)
    assert.strictEqual((yield* repository.tip).ref?.oid, second)
  }).pipe(Effect.provide(layer))
)
