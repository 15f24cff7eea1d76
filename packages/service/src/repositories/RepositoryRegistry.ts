/** Registry of the repositories that this forge serves, with access to git data. */
import { randomUUID } from "node:crypto"
import { basename, join, sep } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Adoption from "../git/Adoption.ts"
import { entries } from "../git/files/Files.ts"
import { Git } from "../git/process/Git.ts"
import { type GitError, gitError } from "../git/values/GitError.ts"
import { GitRepositories } from "../git/GitRepositories.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { ObjectFormat } from "../git/values/GitObject.ts"
import { locate } from "../git/values/RepositoryLocation.ts"
import * as OwnerCheck from "../git/process/OwnerCheck.ts"
import * as CacheDependencies from "../git/values/CacheDependencies.ts"
import * as PendingFolders from "./PendingFolders.ts"
import { PoolRows } from "./PoolRows.ts"
import { type Removal, Removals } from "./Removals.ts"
import { NameTaken, RepositoryRows, type NewRepository, type RepositoryRow } from "./RepositoryRows.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import type { UserRow } from "../accounts/UserRows.ts"

/** A repository: database row and open git data. */
export interface ServedRepository {
  readonly row: RepositoryRow
  /** Name of the repository as `<owner>/<name>`. */
  readonly fullName: string
  readonly git: GitRepository
  /** The unchanged repository, if `git` also has the snapshots of the work tree. */
  readonly original?: ServedRepository
}

export type RepositoryOptions = Omit<NewRepository, "ownerId" | "git">

/** True if a new repository can have this name, which is also the folder name. */
export const isRepositoryName = (name: string) =>
  /^[A-Za-z0-9_.-]{1,100}$/.test(name) && !/^\.+$/.test(name) && !/\.(git|lock)$/i.test(name)

/** Maximum number of cached lookups by name. */
const MAX_KNOWN = 10_000

/** Default branch of a new repository. */
const DEFAULT_BRANCH = "main"

export class RepositoryRegistry extends Context.Service<
  RepositoryRegistry,
  {
    /** Finds a repository by owner and name, ignoring case. */
    find(owner: string, name: string): Effect.Effect<ServedRepository | undefined, GitError>
    /** Finds a repository in memory, without a wait. */
    known(owner: string, name: string): ServedRepository | undefined
    /** Finds a repository by owner and former name. */
    findRenamed(owner: string, name: string): Effect.Effect<ServedRepository | undefined, GitError>
    /**
     * All served repositories, sorted by full name, without reading git data. The same array as before if no row of the
     * database has changed.
     */
    readonly list: Effect.Effect<ReadonlyArray<RepositoryRow>>
    /** The served repositories with these ids, in their order, without reading git data. Omits unknown ids. */
    byIds(ids: Iterable<number>): Effect.Effect<ReadonlyArray<RepositoryRow>>
    /** Opens repositories. Omits repositories without git data. */
    open(rows: ReadonlyArray<RepositoryRow>): Effect.Effect<ReadonlyArray<ServedRepository>>
    /** Changes when `open` gives other repositories for unchanged rows, as `open` or another function has noticed. */
    readonly version: () => number
    /**
     * Serves an existing repository from its folder while this process runs. Makes the repository private, because the
     * owner did not publish it and any web page in a browser on this machine can send requests. The name is `name` or
     * the folder's name without `.git`, with a number appended if another repository has that name.
     */
    adopt(owner: UserRow, path: string, name?: string): Effect.Effect<ServedRepository, GitError>
    /** Records an unserved repository from the start options, for messages of searches. */
    reportUnserved(path: string): Effect.Effect<void>
    /** The paths of `reportUnserved`. */
    readonly unserved: ReadonlyArray<string>
    /** Creates an empty repository in the data folder. */
    create(owner: UserRow, creation: RepositoryOptions): Effect.Effect<ServedRepository, GitError | NameTaken>
    /**
     * Builds a bare repository with `fill` and gives the folder in the data folder. The repository is not served before
     * `add`. If `fill` fails, nothing is left. If the process ends before `add`, the next start removes the folder.
     */
    build<E>(
      owner: UserRow,
      name: string,
      fill: (gitDir: string) => Effect.Effect<void, E>,
      objectFormat?: ObjectFormat
    ): Effect.Effect<string, GitError | E>
    /**
     * Like `build`, but in the folder `folder`. Gives an existing folder without running `fill`: a folder exists only
     * complete, and an earlier process can have ended before `add`.
     */
    buildOnce<E>(
      owner: UserRow,
      folder: string,
      fill: (gitDir: string) => Effect.Effect<void, E>
    ): Effect.Effect<string, GitError | E>
    /** Serves a repository built by `build` or `buildOnce`. */
    add(
      owner: UserRow,
      creation: RepositoryOptions,
      folder: string
    ): Effect.Effect<ServedRepository, GitError | NameTaken>
    /**
     * Deletes the rows of a repository, in the transaction of the caller. Returns false for a missing repository.
     * `cleanUp` must follow, which also removes `files`. A folder outside of the data folder stays.
     */
    remove(row: RepositoryRow, files: ReadonlyArray<Removal>): Effect.Effect<boolean>
    /** Ends the processes and transfers of a removed repository, and removes the files. */
    cleanUp(repository: ServedRepository): Effect.Effect<void>
    /**
     * True if the folder of a repository is in the data folder, false if this process serves the repository from
     * another folder.
     */
    isHosted(row: RepositoryRow): boolean
  }
>()("@tongs/service/repositories/RepositoryRegistry") {
  static readonly layer = (data: string) =>
    Layer.effect(
      RepositoryRegistry,
      Effect.gen(function* () {
        const rows = yield* RepositoryRows
        const repositories = yield* GitRepositories
        const git = yield* Git
        const revision = yield* StoreRevision
        const own = join(data, "repositories")
        const removals = yield* Removals
        const pools = yield* PoolRows
        yield* removals.run
        const hasRow = (path: string) => Effect.map(rows.byGit(path), (row) => row !== undefined)
        yield* Effect.forEach(folders(own), (folder) => PendingFolders.sweep(folder, hasRow), { discard: true })
        yield* Adoption.removeAbandoned([
          join(data, "git"),
          ...folders(own),
          join(data, "demonstration"),
          join(data, "pools")
        ])

        /** Ids of the repositories outside of the data folder, which only this process serves. */
        const adopted = new Set<number>()
        let version = 0
        const isHosted = (row: RepositoryRow) => row.git.startsWith(own + sep)
        const isServed = (row: RepositoryRow) => adopted.has(row.id) || isHosted(row)

        const unserved: Array<string> = []

        const known = RevisionCache.make<ServedRepository>(revision, MAX_KNOWN, ({ git }) => git.isCurrent())
        const served = new WeakMap<RepositoryRow, ServedRepository>()
        const keyOf = (owner: string, name: string) => `${owner}/${name}`.toLowerCase()

        /**
         * Open repositories by folder. Deleted repositories remain, and reads of them fail, so that lists and searches
         * report them.
         */
        const opened = new Map<string, GitRepository>()
        const openOne = (row: RepositoryRow): Effect.Effect<ServedRepository, GitError> =>
          repositories.open(row.git).pipe(
            Effect.tap((git) => Effect.sync(() => opened.set(row.git, git))),
            Effect.catch((error) => {
              const before = error.reason._tag === "NotARepository" ? opened.get(row.git) : undefined
              return before === undefined ? Effect.fail(error) : Effect.succeed(before)
            }),
            Effect.map((git) => {
              const before = served.get(row)
              if (before?.git === git) return before
              const one = { row, fullName: `${row.owner.login}/${row.name}`, git }
              served.set(row, one)
              version += 1
              return one
            })
          )
        const host = (row: RepositoryRow): Effect.Effect<ServedRepository, GitError> => {
          const one = served.get(row)
          return one?.git.isCurrent() === true ? Effect.succeed(one) : openOne(row)
        }

        const find = (owner: string, name: string) =>
          known.get(
            keyOf(owner, name),
            Effect.flatMap(rows.find(owner, name), (row) =>
              row !== undefined && isServed(row) ? host(row) : Effect.undefined
            )
          )

        const findRenamed = Effect.fnUntraced(function* (owner: string, name: string) {
          const row = yield* rows.byFormerName(owner, name)
          return row !== undefined && isServed(row) ? yield* host(row) : undefined
        })

        const all = RevisionCache.make<ReadonlyArray<RepositoryRow>>(revision, 1)
        let latest:
          | {
              readonly rows: ReadonlyArray<RepositoryRow>
              readonly adopted: number
              readonly list: ReadonlyArray<RepositoryRow>
              byId?: ReadonlyMap<number, RepositoryRow>
            }
          | undefined
        /** The same array as before if nothing has changed. */
        const listOf = (rows: ReadonlyArray<RepositoryRow>) => {
          if (latest?.rows !== rows || latest.adopted !== adopted.size) {
            latest = { rows, adopted: adopted.size, list: rows.filter(isServed) }
          }
          return latest
        }
        const latestList = Effect.map(all.get("all", rows.list), listOf)
        const list = Effect.map(latestList, (latest) => latest.list)
        const byIds = (ids: Iterable<number>) =>
          Effect.map(latestList, (latest) => {
            latest.byId ??= new Map(latest.list.map((row) => [row.id, row]))
            const byId = latest.byId
            return [...ids].flatMap((id) => byId.get(id) ?? [])
          })

        const open = (wanted: ReadonlyArray<RepositoryRow>) =>
          Effect.map(
            ReadyEffects.forEach(wanted, (row) => CacheDependencies.optional(host(row)), { concurrency: 4 }),
            (served) => served.filter((one) => one !== undefined)
          )

        /** Finds or adds the row of a folder. A new row gets an unused name, because folders can have equal names. */
        const register = (owner: UserRow, path: string, name: string, attempt = 1): Effect.Effect<RepositoryRow> =>
          Effect.flatMap(rows.byGit(path), (existing) =>
            existing !== undefined
              ? Effect.succeed(existing)
              : rows
                  .add({
                    ownerId: owner.id,
                    name: attempt === 1 ? name : `${name}-${attempt}`,
                    git: path,
                    private: true
                  })
                  .pipe(Effect.catch(() => register(owner, path, name, attempt + 1)))
          )

        const adopt = Effect.fn("Hosting.adopt")(function* (owner: UserRow, path: string, name?: string) {
          const location = locate(path)
          if (location !== undefined) yield* OwnerCheck.check(git, location)
          const opened = yield* repositories.open(path)
          const row = yield* register(owner, opened.path, name ?? repositoryName(opened.path))
          adopted.add(row.id)
          version += 1
          return yield* host(row)
        })

        /**
         * Returns an unused folder for a new repository: `NAME.git` is taken if a renamed repository had the name, or
         * if the folder of a deleted repository could not be removed.
         */
        const folderFor = Effect.fnUntraced(function* (owner: UserRow, name: string) {
          for (let number = 1; ; number++) {
            const path = join(own, owner.login, `${number === 1 ? name : `${name}-${number}`}.git`)
            if ((yield* rows.byGit(path)) === undefined && !(yield* removals.has(path))) return path
          }
        })

        const create = Effect.fn("Hosting.create")(function* (owner: UserRow, creation: RepositoryOptions) {
          if ((yield* rows.find(owner.login, creation.name)) !== undefined) {
            return yield* new NameTaken({ name: creation.name })
          }
          const path = yield* folderFor(owner, creation.name)
          // Creates the folder before the row, so that every repository with a row can be opened. A folder without a
          // row comes from a killed process or a concurrent call; of concurrent calls, only one adds the row.
          yield* Adoption.createBare(path, DEFAULT_BRANCH).pipe(
            Effect.catchIf(
              ({ reason }) => reason._tag === "FolderExists",
              () => Effect.void
            ),
            Effect.provideService(Git, git)
          )
          const row = yield* rows.add({ ...creation, ownerId: owner.id, git: path })
          return yield* host(row)
        })

        const build = <E>(
          owner: UserRow,
          name: string,
          fill: (gitDir: string) => Effect.Effect<void, E>,
          objectFormat?: ObjectFormat
        ) =>
          Effect.gen(function* () {
            // Never reuses the folder that a killed process left without a row, because the folder may have content.
            const path = join(own, owner.login, `${name}-${randomUUID().slice(0, 8)}.git`)
            yield* PendingFolders.mark(path)
            yield* Adoption.buildBare(path, DEFAULT_BRANCH, fill, objectFormat).pipe(
              Effect.provideService(Git, git),
              Effect.onError(() => PendingFolders.discard(path))
            )
            return path
          })

        const buildOnce = <E>(owner: UserRow, folder: string, fill: (gitDir: string) => Effect.Effect<void, E>) =>
          Effect.gen(function* () {
            const path = join(own, owner.login, `${folder}.git`)
            if (yield* removals.has(path)) yield* removals.run
            if (yield* removals.has(path)) return yield* gitError({ _tag: "FolderExists", path })
            if (locate(path) === undefined) {
              yield* Effect.provideService(Adoption.buildBare(path, DEFAULT_BRANCH, fill), Git, git)
            }
            return path
          })

        const add = Effect.fn("Hosting.add")(function* (owner: UserRow, creation: RepositoryOptions, folder: string) {
          return yield* host(yield* rows.add({ ...creation, ownerId: owner.id, git: folder }))
        })

        const remove = Effect.fn("Hosting.remove")(function* (row: RepositoryRow, files: ReadonlyArray<Removal>) {
          if (!(yield* rows.remove(row.id))) return false
          const unused = (yield* pools.removeUnused).map((pool) => join(data, "pools", pool))
          const folders = isHosted(row) ? [row.git, ...unused] : unused
          yield* removals.add([...folders.map((path) => ({ path, digest: null })), ...files])
          return true
        })

        const cleanUp = Effect.fn("Hosting.cleanUp")(function* ({ git, row }: ServedRepository) {
          adopted.delete(row.id)
          version += 1
          opened.delete(row.git)
          yield* repositories.close(git)
          yield* removals.run
        })

        return RepositoryRegistry.of({
          find,
          known: (owner, name) => known.find(keyOf(owner, name)),
          findRenamed,
          list,
          byIds,
          open,
          version: () => version,
          adopt,
          reportUnserved: (path) => Effect.sync(() => void unserved.push(path)),
          unserved,
          create,
          build,
          buildOnce,
          add,
          remove,
          cleanUp,
          isHosted
        })
      })
    ).pipe(Layer.provide([Removals.layer, PoolRows.layer]))
}

/** Returns the folder of each owner in the data folder. */
const folders = (own: string) => entries(own).flatMap((entry) => (entry.isDirectory() ? [join(own, entry.name)] : []))

const repositoryName = (path: string) => {
  const name = basename(path)
    .replace(/\.git$/, "")
    .replace(/[^\w.-]+/g, "-")
  return name === "" || name === "." || name === ".." ? "repository" : name
}
