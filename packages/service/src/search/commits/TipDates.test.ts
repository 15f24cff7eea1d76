import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstCommit, folder, git } from "../../git/Fixture.test-support.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import { CatFile } from "../../git/process/CatFile.ts"
import { Git } from "../../git/process/Git.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as TipDates from "./TipDates.ts"

const layer = Layer.provideMerge(GitRepositories.layerTemporary, Layer.provideMerge(CatFile.layer, Git.layer))

/** Creates repositories with a commit each. The commits of different tests have other texts. */
const tipsOf = Effect.fnUntraced(function* (count: number, text: string) {
  const root = yield* folder
  const repositories = yield* GitRepositories
  return yield* Effect.forEach(Array.from({ length: count }).keys(), (at) =>
    Effect.gen(function* () {
      const path = join(root, `r${at}`)
      git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
      firstCommit(path, { "a.txt": `${text} ${at}\n` })
      const row = {} as unknown as RepositoryRow // oxlint-disable-line typescript/no-unsafe-type-assertion -- not read
      const opened = yield* repositories.open(path)
      return { path, commit: git(path, ["rev-parse", "main"]), served: { fullName: `a/r${at}`, row, git: opened } }
    })
  )
})

it.live("reads the commits of many repositories with one process, and each commit once", () =>
  Effect.gen(function* () {
    const service = yield* Git
    let runs = 0
    const counting = {
      run: (...args: Parameters<typeof service.run>) => {
        runs++
        return service.run(...args)
      }
    }
    const tips = yield* tipsOf(8, "whole")
    const all = new Map(tips.map(({ commit }) => [commit, 1_700_000_000]))
    assert.deepStrictEqual(yield* TipDates.read(counting, tips), all)
    assert.strictEqual(runs, 1)
    assert.deepStrictEqual(yield* TipDates.read(counting, tips), all)
    assert.strictEqual(runs, 1)
  }).pipe(Effect.provide(layer))
)

it.live("leaves out only the commits that git cannot read", () =>
  Effect.gen(function* () {
    const tips = yield* tipsOf(3, "damaged")
    const [damaged, ...others] = tips
    rmSync(join(damaged?.path ?? "", "objects"), { recursive: true })
    const dates = yield* TipDates.read(yield* Git, [...tips, ...others])
    assert.sameMembers(
      [...dates.keys()],
      others.map(({ commit }) => commit)
    )
  }).pipe(Effect.provide(layer))
)
