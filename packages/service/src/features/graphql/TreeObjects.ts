/** The entries of a tree. */
import * as Effect from "effect/Effect"
import type { TreeEntry } from "../../git/values/GitObject.ts"
import * as Submodules from "../contents/Submodules.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** Maximum number of entries, as in the REST API. */
const MAX_ENTRIES = 1000

/** The place of a tree that a query names by a commit and a path. The path of the root is empty. */
export interface TreePlace {
  readonly commit: string
  readonly path: string
}

/** Returns the entries of a tree. `place` is undefined for a tree that the query names by its id. */
export const make = Effect.fnUntraced(function* (
  query: RunningQuery,
  at: FoundRepository,
  oid: string,
  place: TreePlace | undefined
) {
  const entries = (yield* at.served.git.tree(oid)) ?? []
  return entries.slice(0, MAX_ENTRIES).map((one) => entry(query, at, one, place))
})

/** Returns the entry of a tree. */
export const entry = (
  query: RunningQuery,
  at: FoundRepository,
  { bytes, mode, name, oid, type }: TreeEntry,
  place: TreePlace | undefined
) => {
  const { git } = at.served
  const raw = bytes ?? Buffer.from(name)
  const prefix = place === undefined || place.path === "" ? "" : `${place.path}/`
  const path = place === undefined ? null : prefix + name
  const submodule = async () => {
    if (type !== "commit" || place === undefined) return null
    const found = await query.run(Submodules.find(git, place.commit, prefix + name))
    return found === undefined
      ? null
      : {
          name: found.name,
          nameRaw: Buffer.from(found.name).toString("base64"),
          gitUrl: found.url,
          branch: found.branch,
          path: prefix + name,
          pathRaw: Buffer.from(prefix + name).toString("base64"),
          subprojectCommitOid: oid
        }
  }
  return {
    name,
    nameRaw: raw.toString("base64"),
    path,
    pathRaw: path === null ? null : Buffer.concat([Buffer.from(prefix), raw]).toString("base64"),
    extension: /.(\.[^.]*)$/.exec(name)?.[1] ?? "",
    type,
    mode: Number.parseInt(mode, 8),
    oid,
    size: async () => (type === "blob" ? ((await query.run(git.info(oid)))?.size ?? 0) : 0),
    object: () => (type === "commit" ? null : query.gitObject(at, oid)),
    submodule,
    repository: () => query.repository(at)
  }
}
