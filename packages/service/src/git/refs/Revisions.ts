/** Resolves the names of commits. */
import * as Effect from "effect/Effect"
import type { CatFile } from "../process/CatFile.ts"
import { isOid } from "../values/Oid.ts"
import * as RefName from "../values/RefName.ts"
import type * as Refs from "./Refs.ts"

/** Creates the function `GitRepository.commitById`. */
export const byId = (catFile: CatFile["Service"], gitDir: string) =>
  Effect.fnUntraced(function* (id: string) {
    const digits = id.toLowerCase()
    if (!/^[0-9a-f]{4,64}$/.test(digits)) return undefined
    const info = yield* catFile.info(gitDir, `${digits}^{commit}`)
    // Git tries names before abbreviated ids, so check that the result has these digits.
    return info?.type === "commit" && info.oid.startsWith(digits) ? info.oid : undefined
  })

/** Creates the function `GitRepository.resolve`. */
export const make = (catFile: CatFile["Service"], gitDir: string, refs: Refs.Refs) => {
  const commitById = byId(catFile, gitDir)
  const commitOf = (ref: Refs.Ref | undefined) => {
    if (ref === undefined) return Effect.undefined
    return ref.type === "commit" ? Effect.succeed(ref.oid) : peel(ref.peeled ?? ref.oid)
  }

  const peel = (name: string) =>
    Effect.map(catFile.info(gitDir, `${name}^{commit}`), (info) => (info?.type === "commit" ? info.oid : undefined))

  return Effect.fnUntraced(function* (revision: string) {
    if (isOid(revision)) return yield* peel(revision)
    const name = revision === "HEAD" ? RefName.branch(yield* refs.head) : revision
    for (const candidate of [name, `refs/${name}`, RefName.branch(name), RefName.tag(name)]) {
      const found = candidate.startsWith("refs/") ? yield* refs.get(candidate) : undefined
      const commit = yield* commitOf(found)
      if (commit !== undefined) return commit
    }
    return yield* commitById(revision)
  })
}
