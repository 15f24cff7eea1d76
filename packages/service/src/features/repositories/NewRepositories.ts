/**
 * Creates repositories: empty ones, or with content. The content is written before the repository gets a row, so a
 * repository exists complete or not at all.
 */
import * as Effect from "effect/Effect"
import type { UserRow } from "../../accounts/UserRows.ts"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import type { RefMove } from "../../events/PushPayload.ts"
import { RefChanges } from "../../events/RefChanges.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as PendingFolders from "../../repositories/PendingFolders.ts"
import {
  type RepositoryOptions,
  RepositoryRegistry,
  type ServedRepository
} from "../../repositories/RepositoryRegistry.ts"
import type { NameTaken } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as RepositoryCreation from "./RepositoryCreation.ts"

/** A repository to create. */
export interface NewRepository<E> {
  readonly actor: UserRow
  readonly owner: UserRow
  readonly options: RepositoryOptions
  /** Further changes in the transaction that adds the repository. */
  readonly more?: (at: EventContext) => Effect.Effect<void, E | GitError>
}

/** The branches of a new repository. */
export interface Branches {
  readonly defaultBranch: string
  /** Commit of each branch. */
  readonly commits: ReadonlyMap<string, string>
}

export const make = Effect.gen(function* () {
  const changes = yield* RefChanges
  const events = yield* Events
  const git = yield* Git
  const registry = yield* RepositoryRegistry
  const repositories = yield* GitRepositories
  const transaction = yield* Transaction.make

  const taken = (adding: Effect.Effect<ServedRepository, GitError | NameTaken>) =>
    Effect.catchTag(adding, "NameTaken", () => Effect.fail(RepositoryCreation.nameTaken))

  const recordCreation = Effect.fnUntraced(function* <E>({ actor, more }: NewRepository<E>, at: EventContext) {
    const payload = yield* RepositoryCreation.createdPayload(at.repository)
    yield* events.record({ actor, repository: at.repository, type: "CreateEvent", payload })
    if (more !== undefined) yield* more(at)
    return at
  })

  /** Creates an empty repository. */
  const empty = <E>(wanted: NewRepository<E>) => {
    const adding = Effect.flatMap(taken(registry.create(wanted.owner, wanted.options)), (repository) =>
      recordCreation(wanted, { actor: wanted.actor, repository })
    )
    return Effect.map(transaction(adding), ({ repository }) => repository)
  }

  /** Writes references and HEAD of a folder that is not served yet. */
  const writeRefs = Effect.fnUntraced(function* (gitDir: string, { commits, defaultBranch }: Branches) {
    const input = [...commits].map(([branch, oid]) => `create ${RefName.branch(branch)} ${oid}\n`).join("")
    yield* git.run(["update-ref", "--stdin"], { gitDir, input })
    yield* git.run(["symbolic-ref", "HEAD", RefName.branch(defaultBranch)], { gitDir })
  })

  /** Adds the row of a folder with content, and the events of its branches. */
  const register = Effect.fnUntraced(function* <E>(
    wanted: NewRepository<E>,
    path: string,
    moves: ReadonlyArray<RefMove>
  ) {
    const { actor, options, owner } = wanted
    const adding = Effect.gen(function* () {
      const repository = yield* taken(registry.add(owner, options, path))
      const at = yield* recordCreation(wanted, { actor, repository })
      return { at, begun: yield* changes.beginNew(at, moves, process.pid) }
    })
    const { at, begun } = yield* PendingFolders.settle(path)(transaction(adding))
    yield* changes.settle(at, begun, () => true)
    return at.repository
  }, Effect.uninterruptible)

  /** Creates a repository whose objects and branches `fill` writes. */
  const withContent = Effect.fnUntraced(function* <E, E2>(
    wanted: NewRepository<E>,
    fill: (target: GitRepository, gitDir: string) => Effect.Effect<Branches, E2 | GitError>
  ) {
    const { options, owner } = wanted
    if ((yield* registry.find(owner.login, options.name)) !== undefined) return yield* RepositoryCreation.nameTaken
    const moves: Array<RefMove> = []
    const build = Effect.fnUntraced(function* (gitDir: string) {
      const branches = yield* fill(yield* repositories.openTemporarily(gitDir), gitDir)
      yield* writeRefs(gitDir, branches)
      for (const [branch, after] of branches.commits) moves.push({ ref: RefName.branch(branch), before: null, after })
    }, Effect.scoped)
    const path = yield* registry.build(owner, options.name, build)
    return yield* register(wanted, path, moves)
  })

  return { empty, withContent }
})
