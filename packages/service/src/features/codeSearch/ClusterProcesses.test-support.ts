/** Several processes with code indexes over the same repositories, which ask each other in memory. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { PeerLost, Peers, type PeerResponse } from "../../base/Peers.ts"
import { folder, git } from "../../git/Fixture.test-support.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import * as CatFile from "../../git/process/CatFile.ts"
import { Git } from "../../git/process/Git.ts"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import { HistoryIndex } from "../../search/history/HistoryIndex.ts"
import { Indexer } from "../../search/Indexer.ts"
import { PackageDirectory } from "../../search/PackageDirectory.ts"
import * as PeerSearch from "../../search/peers/PeerSearch.ts"
import * as SqliteIndex from "../../search/sqlite/SqliteIndex.ts"
import { WorkTrees } from "../../search/worktree/WorkTrees.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"

type Handler = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Commits of a repository, the oldest first: date in seconds, message and files. */
export type History = ReadonlyArray<
  readonly [seconds: number, message: string, files: Readonly<Record<string, string>>]
>

const importText = (history: History): string => {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  return history
    .map(([seconds, message, files]) => {
      const changes = Object.entries(files).map(
        ([name, content]) => `M 100644 inline ${JSON.stringify(name)}\n${data(content)}`
      )
      return `commit refs/heads/main\ncommitter Test <test@example.org> ${seconds} +0000\n${data(message)}${changes.join("")}`
    })
    .join("")
}

/** Creates repositories with these histories, `a/NAME` by their names, with the ids 1, 2 and so on. */
export const makeRepositories = Effect.fnUntraced(function* (histories: Readonly<Record<string, History>>) {
  const root = yield* folder
  const repositories = yield* GitRepositories
  return yield* Effect.forEach(Object.entries(histories), ([name, history], at) =>
    Effect.gen(function* () {
      const path = join(root, `${name}.git`)
      mkdirSync(path)
      git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
      git(path, ["fast-import", "--quiet"], importText(history))
      const row = { id: at + 1, name, source_id: null, owner: { login: "a" } }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that searches read of the row
      return { row, fullName: `a/${name}`, git: yield* repositories.open(path) } as unknown as ServedRepository
    })
  )
})

/** What git needs, shared by the processes. */
export const gitLayer = Layer.unwrap(Effect.map(folder, (data) => GitRepositories.layerIn(data))).pipe(
  Layer.provideMerge(CatFile.CatFile.layer),
  Layer.provideMerge(Git.layer)
)

/** How the processes reach each other. */
export interface Network {
  /** Processes that refuse connections, and those that accept them but never answer. */
  readonly dead: Set<string>
  readonly silent: Set<string>
  /** Answers of processes, instead of their own. */
  readonly answers: Map<string, () => Response>
  /** Requests so far: the process, the path, and the length of the body. */
  readonly sent: Array<{ readonly peer: string; readonly path: string; readonly length: number }>
}

const responseOf = (peer: string, response: Response): PeerResponse => ({
  status: response.status,
  body: Stream.fromReadableStream({
    evaluate: () => response.body ?? new Blob([]).stream(),
    onError: (error) => new PeerLost({ peer, detail: String(error), mayHaveRun: true })
  })
})

/** Starts processes. `isOwner` says whether a process owns the repository with an id now. */
export const makeProcesses = Effect.fnUntraced(function* (
  count: number,
  repositories: ReadonlyArray<ServedRepository>,
  isOwner: (process: number, id: number) => boolean
) {
  const network: Network = { dead: new Set(), silent: new Set(), answers: new Map(), sent: [] }
  const handlers = new Map<string, Handler>()
  let version = 0
  const byId = new Map(repositories.map((served) => [served.row.id, served]))
  const openRows: RepositoryRegistry["Service"]["open"] = (rows) =>
    Effect.succeed(rows.flatMap(({ id }) => byId.get(id) ?? []))

  const post: Peers["Service"]["post"] = (peer, path, json) =>
    Effect.gen(function* () {
      network.sent.push({ peer, path, length: json.length })
      const answer = network.answers.get(peer)
      if (answer !== undefined) return responseOf(peer, answer())
      if (network.silent.has(peer)) return yield* Effect.never
      const handler = handlers.get(peer)
      if (handler === undefined || network.dead.has(peer)) {
        return yield* new PeerLost({ peer, detail: "connection refused", mayHaveRun: false })
      }
      const sent = new Request(`http://${peer}${path}`, { method: "POST", body: json })
      return responseOf(peer, HttpServerResponse.toWeb(yield* handler(HttpServerRequest.fromWeb(sent))))
    })

  const start = Effect.fnUntraced(function* (number: number) {
    const data = yield* folder
    const others = Array.from({ length: count }, (_, other) => `host:${other}`).filter((_, other) => other !== number)
    const owns = (id: number) => isOwner(number, id)
    const ownership = RepositoryOwnership.of({
      runner: count === 1 ? null : `host:${number}`,
      owns,
      version: () => version,
      hold: () => Effect.void,
      confirm: () => Effect.void
    })
    const revision = StoreRevision.of({
      current: () => "1",
      access: () => "1",
      refresh: () => undefined,
      answered: () => undefined,
      isIsolated: undefined
    })
    const registry = Layer.mock(RepositoryRegistry, {
      known: () => undefined,
      unserved: [],
      isHosted: () => true,
      list: Effect.succeed(repositories.map(({ row }) => row)),
      byIds: (ids) => Effect.succeed([...ids].flatMap((id) => byId.get(id)?.row ?? [])),
      open: openRows,
      version: () => 0
    })
    const layer = Layer.merge(CodeSearch.layer(), PackageDirectory.layer).pipe(
      Layer.provideMerge(Indexer.layer()),
      Layer.provideMerge(
        Layer.mergeAll(SqliteIndex.layer(data), HistoryIndex.layer(data), ContentSearchPool.layer, registry)
      ),
      Layer.provideMerge(WorkTrees.layer({ enabled: false, ownerTokenHash: "" })),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.succeed(RepositoryOwnership, ownership),
          Layer.succeed(StoreRevision, revision),
          Layer.succeed(Peers, Peers.of({ list: Effect.succeed(others), post }))
        )
      )
    )
    const context = yield* Layer.build(Layer.fresh(layer))
    handlers.set(`host:${number}`, yield* Effect.provide(PeerSearch.make, context))
    for (const served of repositories.filter(({ row }) => owns(row.id))) {
      yield* Effect.provide(
        Effect.flatMap(Indexer, (indexer) => indexer.statuses([served], 60_000)),
        context
      )
    }
    return context
  })

  const processes = yield* Effect.forEach(Array.from({ length: count }).keys(), start)
  return {
    network,
    processes,
    /** Lets the processes notice that `isOwner` has changed. */
    move: () => {
      version += 1
    }
  }
})
