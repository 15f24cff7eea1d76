/**
 * Creates forks. A fork of a repository in the data folder shares its objects by pools, which no repository owns; a fork
 * of another folder copies them, because `git gc` there must not break the fork.
 */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { UserRow } from "../accounts/UserRows.ts"
import * as KeyedSemaphore from "../base/KeyedSemaphore.ts"
import { GitRepositories } from "../git/GitRepositories.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as ObjectPools from "../git/ObjectPools.ts"
import { Git } from "../git/process/Git.ts"
import { type GitError, unavailable } from "../git/values/GitError.ts"
import * as Transaction from "../storage/Transaction.ts"
import { ForkRows } from "./ForkRows.ts"
import * as PendingFolders from "./PendingFolders.ts"
import { type PoolRow, PoolRows } from "./PoolRows.ts"
import { RepositoryRegistry, type ServedRepository } from "./RepositoryRegistry.ts"
import type { NameTaken } from "./RepositoryRows.ts"

/** Maximum pools of a fork. A longer chain would slow git down, so a new one begins. */
const MAX_CHAIN = 20

/** Forks whose objects are written at the same time. More wait. */
const CONCURRENCY = 2

/** The upstream repository cannot be forked. */
export class NotForkable extends Data.TaggedError("NotForkable")<{
  readonly reason: "empty" | "incomplete"
  readonly detail: string
}> {}

export interface NewFork {
  readonly owner: UserRow
  readonly name: string
  readonly defaultBranchOnly: boolean
  /** Further writes of the transaction that adds the fork. */
  readonly record: (fork: ServedRepository) => Effect.Effect<void, GitError>
}

/** A view of a fork with the objects of the upstream repository. Written objects are only in the view. */
export interface ForkView {
  readonly git: GitRepository
  /** Copies the objects that a commit of the view reaches into the fork. */
  copy(oid: string): Effect.Effect<void, GitError>
}

type Creation = Deferred.Deferred<ServedRepository, GitError | NameTaken | NotForkable>

interface Chain {
  readonly rows: ReadonlyArray<PoolRow>
  readonly pools: ReadonlyArray<ObjectPools.Pool>
}

const noChain: Chain = { rows: [], pools: [] }

export class Forks extends Context.Service<
  Forks,
  {
    /**
     * Creates a fork with the branches and tags of the upstream repository, or returns the one that the account has
     * already. If it fails, nothing is left. An interruption ends only the wait: calls for the same account share the
     * fork that is being made.
     */
    create(
      upstream: ServedRepository,
      fork: NewFork
    ): Effect.Effect<ServedRepository, GitError | NameTaken | NotForkable>
    /** Opens a view of a fork that also has the objects of the upstream repository, until the scope closes. */
    openView(fork: ServedRepository, upstream: ServedRepository): Effect.Effect<ForkView, GitError, Scope.Scope>
    /** Copies the objects that a commit of another repository reaches. */
    copyCommit(to: ServedRepository, from: ServedRepository, oid: string): Effect.Effect<void, GitError>
    /** Completes when no upstream repository drops copies of shared objects in the background. */
    readonly settled: Effect.Effect<void>
  }
>()("@tongs/service/repositories/Forks") {
  static readonly layer = (data: string) =>
    Layer.effect(
      Forks,
      Effect.gen(function* () {
        const git = yield* Git
        const forkRows = yield* ForkRows
        const poolRows = yield* PoolRows
        const registry = yield* RepositoryRegistry
        const repositories = yield* GitRepositories
        const transaction = yield* Transaction.make
        const minimum = yield* ObjectPools.MinimumPoolBytes
        const scope = yield* Effect.scope
        const permits = yield* Semaphore.make(CONCURRENCY)
        const background = yield* Semaphore.make(1)
        const locks = KeyedSemaphore.make(1)
        const folder = join(data, "pools")
        const folderOf = ({ name }: PoolRow) => join(folder, name)

        /** Returns the pools of a pool and those below it, the lowest first. Undefined if one is missing. */
        const chainOf = Effect.fnUntraced(function* (top: PoolRow, all: ReadonlyArray<PoolRow>) {
          const byId = new Map(all.map((row) => [row.id, row]))
          const rows: Array<PoolRow> = []
          for (let row: PoolRow | undefined = top; row !== undefined;) {
            rows.unshift(row)
            if (row.base_id === null) break
            row = byId.get(row.base_id)
            if (row === undefined) return undefined
          }
          const pools = yield* Effect.forEach(rows, (row) => ObjectPools.read(folderOf(row)))
          const present = pools.filter((pool) => pool !== undefined)
          return present.length === rows.length ? { rows, pools: present } : undefined
        })

        /** Returns the newest pools of the upstream repository of which the references reach all objects. */
        const usableChain = Effect.fnUntraced(function* (
          upstream: ServedRepository,
          { refs }: ObjectPools.CopiedRefs
        ): Effect.fn.Return<Chain> {
          const all = yield* poolRows.ofRepository(upstream.row.id)
          for (const top of all.toReversed()) {
            const chain = yield* chainOf(top, all)
            const last = chain?.pools.at(-1)
            if (chain === undefined || last === undefined) continue
            // A pool was made for references that reach all pools below it, so those need no check.
            if (yield* ObjectPools.isReached(git, upstream.git, last, refs)) return chain
          }
          return noChain
        })

        /** Makes a pool of the staged objects, which the upstream repository uses from now on, too. */
        const publish = Effect.fnUntraced(function* (
          upstream: ServedRepository,
          staged: ObjectPools.StagedPack,
          { refs }: ObjectPools.CopiedRefs,
          below: Chain
        ) {
          const row = yield* poolRows.add(randomUUID(), below.rows.at(-1), upstream.row.id)
          if (row === undefined) return yield* unavailable(`${upstream.fullName} was deleted`)
          yield* ObjectPools.publish(staged, folderOf(row), refs)
          const pool = yield* ObjectPools.read(folderOf(row))
          if (pool === undefined) return yield* unavailable(`${upstream.fullName} was deleted`)
          const chain = { rows: [...below.rows, row], pools: [...below.pools, pool] }
          yield* ObjectPools.link(ObjectPools.objectFolder(upstream.git), chain.pools)
          yield* repositories.refresh(upstream.git)
          return chain
        })

        /** Writes the repository of a fork into `gitDir`. Returns the pools that it uses. */
        const fill = Effect.fnUntraced(function* (
          upstream: ServedRepository,
          copied: ObjectPools.CopiedRefs,
          gitDir: string
        ) {
          const isHosted = registry.isHosted(upstream.row)
          const found = isHosted ? yield* usableChain(upstream, copied) : noChain
          const below = found.rows.length < MAX_CHAIN ? found : noChain
          const tips = below.pools.flatMap((pool) => pool.tips)
          const wanted = copied.refs.map(({ oid }) => oid)
          const stage = ObjectPools.stage(git, folder, upstream.git, wanted, tips)
          // Packs can disappear while another process repacks the repository.
          const staged = yield* Effect.retry(stage, {
            times: 1,
            while: ({ reason }) => reason._tag === "CommandFailed"
          })
          const objects = join(gitDir, "objects")
          const isPool = isHosted && staged.bytes >= Math.max(1, minimum)
          const chain = isPool ? yield* publish(upstream, staged, copied, below) : below
          if (!isPool) yield* ObjectPools.moveInto(staged, objects)
          yield* ObjectPools.link(objects, chain.pools, join(gitDir, "..", "objects"))
          yield* ObjectPools.writeRefs(gitDir, copied)
          return { chain, isPool }
        }, Effect.scoped)

        const dropCopies = (upstream: ServedRepository) =>
          ObjectPools.dropCopies(git, upstream.git).pipe(
            (work) => background.withPermit(work),
            Effect.catch((error) => Effect.logWarning(`${upstream.fullName} keeps copies of shared objects`, error))
          )

        /** Builds the git data of a fork. Returns its folder and pools. */
        const build = Effect.fnUntraced(function* (
          upstream: ServedRepository,
          { defaultBranchOnly, name, owner }: NewFork
        ) {
          const { fullName } = upstream
          const incomplete = ObjectPools.incompleteness(upstream.git)
          if (incomplete !== undefined) {
            return yield* new NotForkable({
              reason: "incomplete",
              detail: `${fullName} cannot be forked: ${incomplete}`
            })
          }
          const copied = yield* ObjectPools.copiedRefs(upstream.git, defaultBranchOnly)
          if (copied.refs.length === 0) {
            const detail = "The repository exists, but it contains no Git content. Empty repositories cannot be forked."
            return yield* new NotForkable({ reason: "empty", detail })
          }
          let filled: { readonly chain: Chain; readonly isPool: boolean } = { chain: noChain, isPool: false }
          const path = yield* registry.build(
            owner,
            name,
            (gitDir) => Effect.map(fill(upstream, copied, gitDir), (result) => void (filled = result)),
            upstream.git.objectFormat
          )
          return { path, ...filled }
        })

        const create = Effect.fn("Forks.create")(function* (
          upstream: ServedRepository,
          { name, owner, record }: NewFork,
          { chain, isPool, path }: Effect.Success<ReturnType<typeof build>>
        ) {
          const { fullName, row } = upstream
          const fork = yield* transaction(
            Effect.gen(function* () {
              const { description, homepage, private: hidden } = row
              const fork = yield* registry.add(
                owner,
                {
                  name,
                  description: description ?? undefined,
                  homepage: homepage ?? undefined,
                  private: hidden === 1,
                  has_issues: false,
                  parent: row
                },
                path
              )
              if (!(yield* poolRows.use(chain.rows, fork.row.id))) {
                return yield* unavailable(`${fullName} was deleted`)
              }
              yield* record(fork)
              return fork
            })
          ).pipe(PendingFolders.settle(path))
          if (isPool) yield* Effect.forkIn(dropCopies(upstream), scope, { startImmediately: true })
          return fork
        })

        const openView = Effect.fn("Forks.openView")(function* (fork: ServedRepository, upstream: ServedRepository) {
          const view = yield* repositories.openView(fork.git, ObjectPools.objectFolder(upstream.git))
          return { git: view, copy: (oid: string) => ObjectPools.copyObjects(git, folder, view, fork.git, oid) }
        })

        /** The forks that are being made, by network and account. */
        const running = new Map<string, Creation>()

        /** Builds and adds a fork, unless the account has one in the network. */
        const make = (upstream: ServedRepository, fork: NewFork) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const id = yield* forkRows.ofOwner(upstream.row, fork.owner.id)
              const rows = id === undefined ? [] : yield* registry.byIds([id])
              const [existing] = yield* registry.open(rows)
              if (existing !== undefined) return existing
              return yield* create(upstream, fork, yield* restore(permits.withPermit(build(upstream, fork))))
            })
          )

        const start = Effect.fnUntraced(function* (upstream: ServedRepository, fork: NewFork) {
          const key = `${upstream.row.source_id ?? upstream.row.id} ${fork.owner.id}`
          const known = running.get(key)
          if (known !== undefined) return known
          const result: Creation = yield* Deferred.make<ServedRepository, GitError | NameTaken | NotForkable>()
          running.set(key, result)
          const making = Effect.ensuring(
            locks.withPermit(String(upstream.row.id))(make(upstream, fork)),
            Effect.sync(() => running.delete(key))
          )
          yield* Effect.forkIn(Deferred.into(making, result), scope)
          return result
        }, Effect.uninterruptible)

        return Forks.of({
          create: (upstream, fork) => Effect.flatMap(start(upstream, fork), Deferred.await),
          openView,
          copyCommit: (to, from, oid) => Effect.scoped(Effect.flatMap(openView(to, from), ({ copy }) => copy(oid))),
          settled: background.withPermit(Effect.void)
        })
      })
    ).pipe(Layer.provide(PoolRows.layer))
}
