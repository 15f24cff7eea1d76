/** The repositories of one or more zoekt servers. */
import { realpathSync } from "node:fs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ServedDir from "../../git/files/ServedDir.ts"
import { IndexError, type IndexedRepository } from "../CodeIndex.ts"
import type * as Zoekt from "./Zoekt.ts"

/** Time for which the list of a server's repositories is cached. */
const listAge = Duration.seconds(2)

/** A repository in the index of a server. */
export interface Indexed {
  readonly server: Zoekt.Zoekt
  /** Name of the repository in zoekt. */
  readonly name: string
  /** Indexed branch. Undefined if zoekt has indexed only one. */
  readonly branch: string | undefined
  /** Indexed commit of the branch. */
  readonly commit: string
  /** Number of indexed files, and total size in bytes. */
  readonly documents: number
  readonly bytes: number
}

/** The indexed repositories of the servers that respond. */
export interface Snapshot {
  /**
   * Finds the best indexed branch of a repository: a branch at `commit`, otherwise the default branch. Undefined if no
   * server has the repository.
   */
  readonly find: (repository: IndexedRepository, commit: string | undefined) => Indexed | undefined
  /** The failures of the other servers. */
  readonly failures: ReadonlyArray<IndexError>
  /** True if a server is loading an index. */
  readonly isPartial: boolean
}

/** Returns an effect that reads the repositories of the servers. Fails if all servers fail. */
export const make = Effect.fnUntraced(function* (servers: ReadonlyArray<Zoekt.Zoekt>) {
  const lists = yield* Effect.forEach(servers, (server) =>
    Effect.map(Effect.cachedWithTTL(Effect.result(server.list), listAge), (list) => ({ server, list }))
  )
  return Effect.gen(function* () {
    const results = yield* Effect.forEach(
      lists,
      ({ list, server }) => Effect.map(list, (result) => ({ server, result })),
      { concurrency: "unbounded" }
    )
    const failures = results.flatMap(({ result }) => (result._tag === "Failure" ? [result.failure] : []))
    if (failures.length === servers.length)
      return yield* new IndexError({ detail: failures.map(({ detail }) => detail).join("; ") })
    const working = results.flatMap(({ result, server }) =>
      result._tag === "Success" ? [{ server, ...result.success }] : []
    )
    return {
      find: finder(working),
      failures,
      isPartial: working.some(({ isPartial }) => isPartial)
    } satisfies Snapshot
  })
})

const finder = (
  lists: ReadonlyArray<{ readonly server: Zoekt.Zoekt; readonly repositories: ReadonlyArray<Zoekt.ZoektRepository> }>
): Snapshot["find"] => {
  const byFolder = new Map<string, Array<Indexed>>()
  const byName = new Map<string, Array<Indexed>>()
  for (const { repositories, server } of lists) {
    for (const one of repositories) {
      const branches = branchesOf(server, one)
      add(byFolder, realFolder(one.Repository.Source), branches)
      add(byName, nameOf(one.Repository.Name), branches)
    }
  }
  return ({ fullName, gitDir }, commit) => {
    const all =
      byFolder.get(realFolder(ServedDir.of(gitDir))) ??
      byName.get(fullName.toLowerCase()) ??
      byName.get(fullName.toLowerCase().split("/")[1] ?? "") ??
      []
    return all.find((one) => one.commit === commit) ?? all.find(({ branch }) => branch === "HEAD") ?? all[0]
  }
}

const add = (map: Map<string, Array<Indexed>>, key: string, values: ReadonlyArray<Indexed>) => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [...values])
  else known.push(...values)
}

const branchesOf = (
  server: Zoekt.Zoekt,
  { Repository: { Branches, Name }, Stats }: Zoekt.ZoektRepository
): ReadonlyArray<Indexed> =>
  (Branches ?? []).map((one, _, { length }) => ({
    server,
    name: Name,
    branch: length === 1 ? undefined : one.Name,
    commit: one.Version,
    documents: Stats.Documents,
    bytes: Stats.ContentBytes
  }))

/** Returns the last two segments of a name such as `github.com/owner/name`, in lower case. */
const nameOf = (name: string) => name.toLowerCase().split("/").slice(-2).join("/")

/** Resolves the real path of a repository folder, without `.git`. Returns folders of another machine unchanged. */
const realFolder = (folder: string): string => {
  const path = folder.replace(/\/(?:\.git\/?)?$/, "")
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
