/** Combines loose and packed references, like `git for-each-ref`. */
import type { LooseRef, LooseRefs } from "./LooseRefs.ts"
import { toText } from "./LooseRefs.ts"
import type { PackedRefs } from "./PackedRefs.ts"
import * as RefName from "../values/RefName.ts"
import type { RefTarget } from "./RefTargets.ts"
import type { ObjectType } from "../values/GitObject.ts"

/** A reference with the id and type of the object. */
export interface Ref {
  readonly name: string
  readonly oid: string
  readonly type: ObjectType
  /** Id of the object that an annotated tag points to, directly or through other tags. */
  readonly peeled?: string
}

/** A reference whose object git cannot read. */
export interface UnreadableRef {
  readonly name: string
  readonly unreadable: string
}

/** A reference and its name as a binary string, because git sorts by bytes. */
interface ListedRef {
  readonly key: string
  readonly ref: Ref | UnreadableRef
}

/** References sorted by name. */
export interface Listing {
  readonly sorted: ReadonlyArray<ListedRef>
  readonly byName: ReadonlyMap<string, Ref | UnreadableRef>
}

/** Maximum depth of symbolic references, as in git. */
const MAX_SYMBOLIC = 5

/** Ids of loose references by name as a binary string. Follows symbolic references. Null for a broken reference. */
export const looseOids = (
  { refs }: LooseRefs,
  packed: (name: string) => string | undefined
): ReadonlyMap<string, string | null> => {
  const oids = new Map<string, string | null>()
  for (const [name, ref] of refs) oids.set(name, RefName.isWellFormed(name) ? (oidOf(ref, refs, packed) ?? null) : null)
  return oids
}

const oidOf = (
  first: LooseRef,
  refs: LooseRefs["refs"],
  packed: (name: string) => string | undefined
): string | undefined => {
  let ref = first
  for (let depth = 0; ref._tag === "Symbolic" && depth < MAX_SYMBOLIC; depth++) {
    const { target } = ref
    const next = refs.get(target)
    if (!target.startsWith("refs/") || !RefName.isWellFormed(target)) return undefined
    if (next === undefined) return packed(target)
    ref = next
  }
  return ref._tag === "Direct" ? ref.oid : undefined
}

/** Lists references of `[name as binary string, id]` and the objects. */
export const make = (
  oids: Iterable<readonly [string, string | null]>,
  targetOf: (oid: string) => RefTarget | undefined
): Listing => {
  const sorted: Array<ListedRef> = []
  const byName = new Map<string, Ref | UnreadableRef>()
  for (const [key, oid] of oids) {
    if (oid === null) continue
    const name = toText(key)
    const target = targetOf(oid)
    const ref = target === undefined ? { name, unreadable: oid } : { name, oid, ...target }
    sorted.push({ key, ref })
    byName.set(name, ref)
  }
  return { sorted: sorted.sort(byKey), byName }
}

const byKey = (a: ListedRef, b: ListedRef) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** Ids of packed references by name. */
export const packedOids = ({ refs }: PackedRefs): ReadonlyMap<string, string> =>
  new Map(refs.map(({ name, oid }) => [name, oid]))

/**
 * Readable references of both listings, ordered by name. References in `hidden`, by binary string, come from `loose`.
 */
export const merge = (
  loose: Listing["sorted"],
  packed: Listing["sorted"],
  hidden: { readonly has: (key: string) => boolean }
): ReadonlyArray<Ref> => {
  const merged: Array<Ref> = []
  const add = ({ ref }: ListedRef) => {
    if ("oid" in ref) merged.push(ref)
  }
  let at = 0
  for (const entry of packed) {
    for (let next = loose[at]; next !== undefined && next.key <= entry.key; next = loose[++at]) add(next)
    if (!hidden.has(entry.key)) add(entry)
  }
  for (const entry of loose.slice(at)) add(entry)
  return merged
}
