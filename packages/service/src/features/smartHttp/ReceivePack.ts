/**
 * Receives pushes with `git receive-pack`, whose `pre-receive` hook asks `PushReview` before a reference moves. Then
 * the changes are recorded as begun, and settled once git has ended.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Authenticated } from "../../access/Caller.ts"
import type { Role } from "../../access/Roles.ts"
import type * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { type BegunChange, RefChanges } from "../../events/RefChanges.ts"
import { Git } from "../../git/process/Git.ts"
import * as OrphanedGit from "../../git/process/OrphanedGit.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as PushJournal from "../../git/PushJournal.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Advertisement from "./Advertisement.ts"
import * as FirstBranch from "./FirstBranch.ts"
import * as PushExchange from "./PushExchange.ts"
import { PushReview } from "./PushReview.ts"
import * as PushSettings from "./PushSettings.ts"
import { PushQueue } from "./PushQueue.ts"
import * as RequestBody from "./RequestBody.ts"
import { type TransferError, type TransferRequest, Transfers } from "./Transfers.ts"

/** A request of a client that may push to the repository. */
export interface Push extends TransferRequest {
  readonly caller: Authenticated
  readonly repository: ServedRepository
  readonly role: Role
  /** Returns the present role of the caller, or fails if the caller may no longer push. Uploads take long. */
  readonly confirm: Effect.Effect<Role, ApiError.ApiError | GitError>
  readonly urls: Urls
}

export class ReceivePack extends Context.Service<
  ReceivePack,
  {
    /** Answers `info/refs?service=git-receive-pack`. */
    advertise(push: Push): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
    /** Answers `git-receive-pack`. */
    receive(push: Push): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
  }
>()("@tongs/service/features/smartHttp/ReceivePack") {
  /** `folder` has the isolated git directories, the hook and the journals. */
  static readonly layerIn = (folder: string) =>
    Layer.effect(
      ReceivePack,
      Effect.gen(function* () {
        const git = yield* Git
        const changes = yield* RefChanges
        const review = yield* PushReview
        const queue = yield* PushQueue
        const transfers = yield* Transfers
        yield* Effect.forkScoped(
          Effect.andThen(OrphanedGit.end, Effect.repeat(PushJournal.sweep(folder), Schedule.spaced(sweepInterval)))
        )

        const receive = Effect.fnUntraced(function* (push: Push, input: RequestBody.RequestBody) {
          const { caller, repository } = push
          const at = { actor: caller.user, repository }
          yield* queue.enter(repository.git.gitDir)
          let begun: ReadonlyArray<BegunChange> = []
          const results = new Map<string, boolean>()
          const settle = Effect.gen(function* () {
            const ended = begun
            begun = []
            yield* changes.settle(at, ended, ({ ref }) => results.get(ref))
            if (ended.length > 0) yield* FirstBranch.adopt(repository.git)
          }).pipe(Effect.uninterruptible)
          // Runs after git has ended, because finalizers run in reverse order.
          yield* Effect.addFinalizer(() => settle)
          const output = yield* PushExchange.open(git, folder, {
            gitDir: yield* repository.git.transferDir,
            settings: [repository.git.reflogSetting()],
            name: repository.fullName,
            input,
            results,
            decide: Effect.fnUntraced(function* (proposed) {
              const { moves, refusals } = yield* review.review(push, proposed)
              if (refusals.length > 0) return { isAccepted: false, lines: refusals }
              const begin = Effect.map(changes.begin(at, moves, proposed.process), (changes) => {
                begun = changes
              })
              yield* Effect.uninterruptible(begin)
              return { isAccepted: true, lines: [] }
            })
          })
          // The client waits until the events are recorded.
          return Stream.concat(output, Stream.drain(Stream.fromEffect(settle)))
        })

        return ReceivePack.of({
          advertise: (push) =>
            Advertisement.respond(
              transfers,
              push,
              "git-receive-pack",
              PushExchange.advertise(git, folder, push.repository.git.transferDir)
            ),
          receive: Effect.fnUntraced(function* (push) {
            const body = yield* RequestBody.read(push.request, PushSettings.MAX_REQUEST_BYTES)
            return yield* transfers.respond(push, "application/x-git-receive-pack-result", receive(push, body))
          })
        })
      })
    )
}

const sweepInterval = Duration.seconds(10)
