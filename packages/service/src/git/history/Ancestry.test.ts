import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Ancestry from "./Ancestry.ts"
import { folder, git, manyCommits, workTree } from "../Fixture.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"

it.effect("near ancestors are found without git, and agree with git", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    git(path, ["checkout", "-q", "-b", "side"])
    git(path, ["commit", "-q", "--allow-empty", "-m", "side"])
    git(path, ["checkout", "-q", "main"])
    git(path, ["commit", "-q", "--allow-empty", "-m", "main"])
    git(path, ["merge", "-q", "--no-ff", "-m", "merge", "side"])
    manyCommits(path, "long", 100)
    const repository = yield* (yield* GitRepositories).open(path)
    const near = git(path, ["rev-list", "main"]).split("\n")
    const long = git(path, ["rev-list", "long"]).split("\n")
    const isAncestor = (ancestor: string, descendant: string) =>
      Ancestry.isNearAncestor(repository, repository.gitDir, ancestor, descendant)
    for (const one of [...near, long[0] ?? ""]) {
      for (const other of near) {
        assert.strictEqual(yield* isAncestor(one, other), git(path, ["rev-list", other]).split("\n").includes(one))
      }
    }
  }).pipe(Effect.scoped, Effect.provide(GitRepositories.layer))
)

it.effect("far ancestors, and those beyond a shallow boundary, are left to git", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    manyCommits(path, "long", 100)
    const long = git(path, ["rev-list", "long"]).split("\n")
    const repositories = yield* GitRepositories
    const repository = yield* repositories.open(path)
    const isNear = (at: number) => Ancestry.isNearAncestor(repository, repository.gitDir, long[at] ?? "", long[0] ?? "")
    assert.isTrue(yield* isNear(60))
    assert.isUndefined(yield* isNear(90))
    assert.isTrue(yield* repository.isAncestor(long[90] ?? "", long[0] ?? ""))
    const shallow = join(yield* folder, "shallow.git")
    git(path, ["clone", "-q", "--bare", "--depth=2", "--branch=long", `file://${path}`, shallow])
    const cut = yield* repositories.open(shallow)
    assert.isUndefined(yield* Ancestry.isNearAncestor(cut, cut.gitDir, long[1] ?? "", long[0] ?? ""))
  }).pipe(Effect.scoped, Effect.provide(GitRepositories.layer))
)
