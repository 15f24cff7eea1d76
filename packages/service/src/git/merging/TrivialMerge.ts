/** Merges of trees that need no git process, because each file changed on one side only. */
import * as Effect from "effect/Effect"
import type { GitError } from "../values/GitError.ts"
import type { TreeEntry } from "../values/GitObject.ts"

/** Reads and writes trees by id. Reading gives `undefined` for a missing tree. */
export interface Trees {
  readonly read: (oid: string) => Effect.Effect<ReadonlyArray<TreeEntry> | undefined, GitError>
  readonly write: (entries: ReadonlyArray<TreeEntry>) => Effect.Effect<string, GitError>
}

/**
 * Merges the trees `ours` and `theirs` with the merge base `base`. Gives `undefined` if git must decide: both sides
 * changed a file differently, or both removed or added one. So a rename that affects the other side is left to git, as
 * the other side then changed the old path, the new path or their folders.
 */
export const merge = (
  trees: Trees,
  base: string,
  ours: string,
  theirs: string
): Effect.Effect<string | undefined, GitError> =>
  Effect.gen(function* () {
    if (base === ours) return theirs
    if (base === theirs) return ours
    const [before, mine, other] = yield* Effect.all([trees.read(base), trees.read(ours), trees.read(theirs)])
    if (before === undefined || mine === undefined || other === undefined) return undefined
    const [bases, ourEntries, theirEntries] = [byName(before), byName(mine), byName(other)]
    const merged: Array<TreeEntry> = []
    for (const name of new Set([...bases.keys(), ...ourEntries.keys(), ...theirEntries.keys()])) {
      const [old, our, their] = [bases.get(name), ourEntries.get(name), theirEntries.get(name)]
      if (isSame(old, our)) merged.push(...(their === undefined ? [] : [their]))
      else if (isSame(old, their)) merged.push(...(our === undefined ? [] : [our]))
      else if (old === undefined || our === undefined || their === undefined) return undefined
      else if (old.type === "tree" && our.type === "tree" && their.type === "tree") {
        const oid = yield* merge(trees, old.oid, our.oid, their.oid)
        if (oid === undefined) return undefined
        merged.push({ ...our, oid })
      } else if (old.type === "blob" && our.type === "blob" && isSame(our, their)) merged.push(our)
      else return undefined
    }
    return yield* trees.write(merged)
  })

const byName = (entries: ReadonlyArray<TreeEntry>): ReadonlyMap<string, TreeEntry> =>
  new Map(entries.map((entry) => [(entry.bytes ?? Buffer.from(entry.name)).toString("latin1"), entry]))

const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.oid === other?.oid && one?.mode === other?.mode
