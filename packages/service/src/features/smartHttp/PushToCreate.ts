/**
 * Creates a private repository by the first push to the repository (`--push-to-create`).
 *
 * The push goes into a new folder that is not served. Only after git has accepted the push, the repository gets a row,
 * in one transaction with the events. So a failed or refused push leaves nothing.
 */
import { rm } from "node:fs/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Authenticated } from "../../access/Caller.ts"
import type { Role } from "../../access/Roles.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Events } from "../../events/Events.ts"
import type { RefMove } from "../../events/PushPayload.ts"
import { RefChanges } from "../../events/RefChanges.ts"
import * as StagingFolder from "../../git/files/StagingFolder.ts"
import { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import { UNREGISTERED_ID } from "../../rules/Enforcement.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as RepositorySettings from "../../repositories/RepositorySettings.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as NewOwner from "../repositories/NewOwner.ts"
import * as RepositoryCreation from "../repositories/RepositoryCreation.ts"
import * as Advertisement from "./Advertisement.ts"
import * as PushExchange from "./PushExchange.ts"
import { PushReview } from "./PushReview.ts"
import * as PushSettings from "./PushSettings.ts"
import * as RequestBody from "./RequestBody.ts"
import { type TransferError, type TransferRequest, Transfers } from "./Transfers.ts"

/** A push to a missing repository. */
export interface NewRepositoryPush extends TransferRequest {
  readonly caller: Authenticated
  readonly owner: UserRow
  readonly name: string
  readonly role: Role
  /** Returns the present role of the caller, or fails if the caller may no longer create the repository. */
  readonly confirm: Effect.Effect<Role, ApiError.ApiError | GitError>
}

export class PushToCreate extends Context.Service<
  PushToCreate,
  {
    /** Returns the account in which the caller may create the repository; `undefined` if the option is off. */
    findOwner(
      login: string,
      name: string,
      caller: Authenticated
    ): Effect.Effect<{ readonly owner: UserRow; readonly role: Role } | undefined, ApiError.ApiError>
    /** Answers `info/refs?service=git-receive-pack` as an empty repository. */
    advertise(push: NewRepositoryPush): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
    /** Answers `git-receive-pack`, and creates the repository if git accepts the push. */
    receive(push: NewRepositoryPush): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
  }
>()("@tongs/service/features/smartHttp/PushToCreate") {
  /** `folder` has the isolated git directories. */
  static readonly layerIn = (folder: string, isEnabled: boolean) =>
    Layer.effect(
      PushToCreate,
      Effect.gen(function* () {
        const changes = yield* RefChanges
        const events = yield* Events
        const git = yield* Git
        const newOwner = yield* NewOwner.make
        const registry = yield* RepositoryRegistry
        const repositories = yield* GitRepositories
        const review = yield* PushReview
        const transaction = yield* Transaction.make
        const transfers = yield* Transfers

        const findOwner = Effect.fnUntraced(function* (login: string, name: string, caller: Authenticated) {
          if (!isEnabled) return undefined
          const found = yield* newOwner(login, caller)
          if (found === undefined) return undefined
          const problem = RepositoryCreation.creationError(found.owner, { name, private: true }, caller)
          return problem === undefined ? found : yield* problem
        })

        const advertise = Effect.acquireRelease(
          Effect.promise(() => StagingFolder.make(folder)),
          (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
        ).pipe(
          Effect.tap((path) => git.run(["init", "--quiet", "--bare", "--template=", path])),
          (path) => PushExchange.advertise(git, folder, path)
        )

        /** Receives the push into an empty repository. Fails with the output of git if no reference was created. */
        const fill = Effect.fnUntraced(function* (
          { caller, confirm, name, owner, role }: NewRepositoryPush,
          input: RequestBody.RequestBody,
          accepted: { output: ReadonlyArray<Uint8Array>; moves: ReadonlyArray<RefMove>; process: number },
          gitDir: string
        ) {
          const fullName = `${owner.login}/${name}`
          const results = new Map<string, boolean>()
          const staged = {
            row: unregistered(owner, name, gitDir),
            fullName,
            git: yield* repositories.openTemporarily(gitDir)
          }
          const output = yield* PushExchange.open(git, folder, {
            gitDir,
            settings: [],
            name: fullName,
            input,
            results,
            decide: Effect.fnUntraced(function* (proposed) {
              const { moves, refusals } = yield* review.review({ caller, role, repository: staged, confirm }, proposed)
              accepted.moves = moves
              accepted.process = proposed.process
              const isAccepted = refusals.length === 0
              return { isAccepted, lines: isAccepted ? [`Creating the private repository ${fullName}.`] : refusals }
            })
          })
          accepted.output = yield* Stream.runCollect(output)
          accepted.moves = accepted.moves.filter(({ ref }) => results.get(ref) === true)
          if (accepted.moves.length === 0) return yield* Effect.fail(nothingPushed)
          const [branch, ...others] = accepted.moves.filter(({ ref }) => ref.startsWith("refs/heads/"))
          if (branch !== undefined && others.length === 0)
            yield* git.run(["symbolic-ref", "HEAD", branch.ref], { gitDir })
        }, Effect.scoped)

        const receive = Effect.fnUntraced(function* (push: NewRepositoryPush, input: RequestBody.RequestBody) {
          const { name, owner } = push
          const accepted = { output: Array<Uint8Array>(), moves: Array<RefMove>(), process: 0 }
          const path = yield* registry
            .build(owner, name, (gitDir) => fill(push, input, accepted, gitDir))
            .pipe(Effect.catchIf(isNothingPushed, () => Effect.undefined))
          if (path !== undefined) yield* register(push, path, accepted)
          return Stream.fromIterable(accepted.output)
        })

        const register = Effect.fnUntraced(function* (
          { caller, name, owner }: NewRepositoryPush,
          path: string,
          { moves, process }: { readonly moves: ReadonlyArray<RefMove>; readonly process: number }
        ) {
          const { at, begun } = yield* transaction(
            Effect.gen(function* () {
              const repository = yield* registry.add(owner, { name, private: true }, path)
              const at = { actor: caller.user, repository }
              yield* events.record({
                ...at,
                type: "CreateEvent",
                payload: yield* RepositoryCreation.createdPayload(repository)
              })
              return { at, begun: yield* changes.beginNew(at, moves, process) }
            })
          ).pipe(
            Effect.onError(() => Effect.promise(() => rm(path, { recursive: true, force: true }))),
            Effect.catchTag("NameTaken", () => Effect.fail(ApiError.conflict(`${owner.login}/${name} exists already`)))
          )
          yield* changes.settle(at, begun, () => true)
        }, Effect.uninterruptible)

        return PushToCreate.of({
          findOwner,
          advertise: (push) => Advertisement.respond(transfers, push, "git-receive-pack", advertise),
          receive: Effect.fnUntraced(function* (push) {
            const body = yield* RequestBody.read(push.request, PushSettings.MAX_REQUEST_BYTES)
            return yield* transfers.respond(push, "application/x-git-receive-pack-result", receive(push, body))
          })
        })
      })
    )
}

const nothingPushed = { _tag: "NothingPushed" } as const // the type is the tag

const isNothingPushed = (error: { readonly _tag: string }): error is typeof nothingPushed =>
  error._tag === "NothingPushed"

/** A row for the rulesets, because the repository is not registered yet. */
const unregistered = (owner: UserRow, name: string, git: string): RepositoryRow => ({
  id: UNREGISTERED_ID,
  name,
  git,
  description: null,
  homepage: null,
  private: 1,
  archived: 0,
  topics: [],
  ...RepositorySettings.defaults,
  template_id: null,
  custom_properties: {},
  created_at: "",
  open_issues: 0,
  watchers: 0,
  stars: 0,
  parent_id: null,
  source_id: null,
  forks: 0,
  network: 0,
  updated_at: "",
  owner
})
