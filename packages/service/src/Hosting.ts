/** Which repositories this forge serves, and how their git data is reached. */
import { mkdirSync } from "node:fs"
import { basename, join, sep } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Adoption from "./git/Adoption.ts"
import { Git } from "./git/Git.ts"
import type { GitError } from "./git/GitError.ts"
import { GitRepositories, type GitRepository } from "./git/GitRepository.ts"
import { type NameTaken, Repositories, type RepositoryRow } from "./storage/Repositories.ts"
import { StoreRevision } from "./storage/Sqlite.ts"
import type { UserRow } from "./storage/Users.ts"

/** A repository that is served. */
export interface Hosted {
  readonly row: RepositoryRow
  /** `<owner>/<name>`. */
  readonly fullName: string
  readonly git: GitRepository
}

export interface Creation {
  readonly name: string
  readonly description?: string | undefined
  readonly homepage?: string | undefined
  readonly private?: boolean | undefined
}

/** The branch that a new repository begins with. */
const defaultBranch = "main"

export class Hosting extends Context.Service<
  Hosting,
  {
    /** By its owner and name, in any case. */
    find(owner: string, name: string): Effect.Effect<Option.Option<Hosted>, GitError>
    /** Every repository that is served, by full name. Those whose folder is gone are passed over. */
    readonly list: Effect.Effect<ReadonlyArray<Hosted>>
    /** Serves a repository where it lies, for as long as this process runs. Its name is its folder's, without `.git`. */
    adopt(owner: UserRow, path: string): Effect.Effect<Hosted, GitError>
    /** Makes an empty repository in the data folder. */
    create(owner: UserRow, creation: Creation): Effect.Effect<Hosted, GitError | NameTaken>
  }
>()("@tongs/service/Hosting") {
  static readonly layer = (data: string) =>
    Layer.effect(
      Hosting,
      Effect.gen(function* () {
        const rows = yield* Repositories
        const repositories = yield* GitRepositories
        const git = yield* Git
        const revision = yield* StoreRevision
        const own = join(data, "repositories")

        /** Adopted ones belong to the process that was told of them; what is in the data folder is served by all. */
        const adopted = new Set<number>()
        const isServed = (row: RepositoryRow) => adopted.has(row.id) || row.git.startsWith(own + sep)

        const known = new Map<string, Hosted>()
        let seen = ""
        const fresh = () => {
          const current = revision.current()
          if (current !== seen) known.clear()
          seen = current
        }

        const host = Effect.fnUntraced(function* (row: RepositoryRow) {
          const key = `${row.owner.login}/${row.name}`.toLowerCase()
          const hosted: Hosted = { row, fullName: `${row.owner.login}/${row.name}`, git: yield* repositories.open(row.git) }
          known.set(key, hosted)
          return hosted
        })

        const find = Effect.fnUntraced(function* (owner: string, name: string) {
          fresh()
          const remembered = known.get(`${owner}/${name}`.toLowerCase())
          if (remembered !== undefined) return Option.some(remembered)
          const row = yield* rows.find(owner, name)
          return Option.isSome(row) && isServed(row.value) ? Option.some(yield* host(row.value)) : Option.none()
        })

        const list = Effect.gen(function* () {
          fresh()
          const all = yield* rows.list
          const hosted = yield* Effect.forEach(
            all.filter(isServed),
            (row) => Effect.option(known.has(`${row.owner.login}/${row.name}`.toLowerCase()) ? find(row.owner.login, row.name) : Effect.asSome(host(row))),
            { concurrency: 4 }
          )
          return hosted.flatMap((one) => Option.toArray(Option.flatten(one)))
        })

        /** A free name beside the ones that the owner has: two folders may be called the same. */
        const add = (owner: UserRow, name: string, path: string, attempt = 1): Effect.Effect<RepositoryRow> =>
          rows
            .add({ ownerId: owner.id, name: attempt === 1 ? name : `${name}-${attempt}`, git: path })
            .pipe(Effect.catch(() => add(owner, name, path, attempt + 1)))

        const adopt = Effect.fn("Hosting.adopt")(function* (owner: UserRow, path: string) {
          const opened = yield* repositories.open(path)
          const existing = yield* rows.byGit(opened.path)
          const row = Option.isSome(existing) ? existing.value : yield* add(owner, repositoryName(opened.path), opened.path)
          adopted.add(row.id)
          return yield* host(row)
        })

        const create = Effect.fn("Hosting.create")(function* (owner: UserRow, creation: Creation) {
          const folder = join(own, owner.login)
          const path = join(folder, `${creation.name}.git`)
          // The row is taken first: it decides who of two gets the name.
          const row = yield* rows.add({ ...creation, ownerId: owner.id, git: path })
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          yield* Adoption.createBare(path, defaultBranch).pipe(
            Effect.provideService(Git, git),
            Effect.tapError(() => rows.forget(row.id))
          )
          return yield* host(row)
        })

        return Hosting.of({ find, list, adopt, create })
      })
    )
}

const repositoryName = (path: string) => {
  const name = basename(path).replace(/\.git$/, "").replace(/[^\w.-]+/g, "-")
  return name === "" || name === "." || name === ".." ? "repository" : name
}
