import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CatFile } from "./CatFile.ts"
import { folder, git, workTree } from "./Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { GitRepositories } from "./GitRepository.ts"

it.live("grep says that it is incomplete when the deadline comes first", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const slow = join(yield* folder, "git")
    writeFileSync(slow, `#!/bin/sh\ncase "$*" in *\\ grep\\ *) exec sleep 60 ;; esac\nexec git "$@"\n`, { mode: 0o755 })
    const layer = GitRepositories.layerWithoutDependencies.pipe(
      Layer.provide(CatFile.layer),
      Layer.provide(Git.layerWith(slow))
    )
    const found = yield* Effect.flatMap(GitRepositories, (repositories) => repositories.open(path)).pipe(
      Effect.flatMap((repository) =>
        repository.grep({ commit: git(path, ["rev-parse", "HEAD"]), terms: ["one"], limit: 1, deadline: "50 millis" })
      ),
      Effect.provide(layer)
    )
    assert.deepStrictEqual(found, { files: [], incomplete: true })
  })
)
