/** Types of the objects that references point to, and the targets of annotated tags. */
import * as Effect from "effect/Effect"
import type { CatFile } from "../process/CatFile.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { type ObjectType, toObjectType } from "../values/GitObject.ts"

/** The object of a reference. `peeled` is the object that a tag points to, directly or through other tags. */
export interface RefTarget {
  readonly type: ObjectType
  readonly peeled?: string
}

/** Number of objects from which one process reads all types faster than the pool. */
const MIN_BATCH = 2000

/** Maximum concurrent reads of objects. */
const CONCURRENCY = 64

/** Maximum depth of nested tags. */
const MAX_PEEL = 16

const MAX_TAG_BYTES = 1024 * 1024

/**
 * Reads the targets with these ids. `peeledOf` gives already known targets of tags. The result lacks objects that git
 * cannot read.
 */
export const read = Effect.fnUntraced(function* (
  git: Git["Service"],
  catFile: CatFile["Service"],
  gitDir: string,
  oids: ReadonlyArray<string>,
  peeledOf: ReadonlyMap<string, string>
): Effect.fn.Return<ReadonlyMap<string, RefTarget>, GitError> {
  const types = oids.length < MIN_BATCH ? new Map<string, ObjectType>() : yield* batch(git, gitDir, oids)
  const targets = new Map<string, RefTarget>()
  const add = Effect.fnUntraced(function* (oid: string) {
    const type = types.get(oid) ?? (yield* catFile.info(gitDir, oid))?.type
    if (type === undefined) return
    targets.set(
      oid,
      type === "tag" ? { type, peeled: peeledOf.get(oid) ?? (yield* peel(catFile, gitDir, oid)) } : { type }
    )
  })
  for (const oid of oids) {
    const type = types.get(oid)
    if (type !== undefined && type !== "tag") targets.set(oid, { type })
  }
  yield* Effect.forEach(
    oids.filter((oid) => !targets.has(oid)),
    add,
    { concurrency: CONCURRENCY, discard: true }
  )
  return targets
})

/** Reads the types of many objects with one process. */
const batch = Effect.fnUntraced(function* (git: Git["Service"], gitDir: string, oids: ReadonlyArray<string>) {
  const input = oids.map((oid) => `${oid}\n`).join("")
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)", "--buffer"]
  const { stdout } = yield* git.run(args, { gitDir, input })
  const types = new Map<string, ObjectType>()
  for (const line of stdout.toString("latin1").split("\n")) {
    const [oid = "", word] = line.split(" ")
    const type = toObjectType(word)
    if (type !== undefined) types.set(oid, type)
  }
  return types
})

/** Id of the object that a tag points to, directly or through other tags. */
const peel = Effect.fnUntraced(function* (catFile: CatFile["Service"], gitDir: string, tag: string) {
  let oid = tag
  for (let depth = 0; depth < MAX_PEEL; depth++) {
    const object = yield* catFile.contents(gitDir, oid, MAX_TAG_BYTES)
    const next = object?.type === "tag" ? /^object ([0-9a-f]+)$/m.exec(object.bytes.toString("latin1"))?.[1] : undefined
    if (next === undefined) break
    oid = next
  }
  return oid
})
