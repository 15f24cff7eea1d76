/** Decides whether a push is accepted, with the pushed objects still in quarantine. One refusal refuses the whole push. */
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "@tongs/core/text/Terminal"
import type * as ApiError from "../../api/ApiError.ts"
import type { RefMove } from "../../events/PushPayload.ts"
import { GitError, gitError } from "../../git/values/GitError.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { quarantineName } from "../../git/PushJournal.ts"
import type { ProposedPush, PushedRef } from "../../git/ReceiveHook.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as CommitStates from "../../pulls/CommitStates.ts"
import { Enforcement, type PushActor } from "../../rules/Enforcement.ts"

/** The changes of a push, and for a refused push the sentences for the terminal of the client. */
export interface ReviewedPush {
  readonly moves: ReadonlyArray<RefMove>
  readonly refusals: ReadonlyArray<string>
}

/** The actor of a push. `confirm` returns the present role, or fails if the actor may no longer push. */
export interface ConfirmedActor extends PushActor {
  readonly confirm: Effect.Effect<PushActor["role"], ApiError.ApiError | GitError>
}

/** Maximum lines in the terminal of the client. */
const MAX_LINES = 50

export class PushReview extends Context.Service<
  PushReview,
  {
    /** Refuses the push of a caller who may no longer push, else reviews the push with the caller's present role. */
    review(actor: ConfirmedActor, push: ProposedPush): Effect.Effect<ReviewedPush>
  }
>()("@tongs/service/features/smartHttp/PushReview") {
  static readonly layer = Layer.effect(
    PushReview,
    Effect.gen(function* () {
      const stateOf = yield* CommitStates.make
      const rules = yield* Enforcement
      const repositories = yield* GitRepositories

      /** Checks the rules for each reference. Gives the sentences of all violations. */
      const violations = Effect.fnUntraced(function* (actor: PushActor, moves: ReadonlyArray<RefMove>) {
        const found: Array<string> = []
        for (const move of moves) {
          yield* rules.check(actor, { ...move, state: stateOf(actor.repository.row.id, move.after) }).pipe(
            Effect.catchTags({
              Forbidden: ({ detail }) => Effect.sync(() => void found.push(`${move.ref}: ${detail}`)),
              ValidationFailed: ({ detail, errors }) =>
                Effect.sync(() => {
                  const messages = errors.map(({ message = detail }) => `${move.ref}: ${message}`)
                  found.push(...(messages.length === 0 ? [`${move.ref}: ${detail}`] : messages))
                })
            })
          )
          if (found.length > MAX_LINES) break
        }
        return found
      })

      /** The repository with the pushed objects. A push that only deletes has no objects. */
      const withObjects = (git: GitRepository, quarantine: string | undefined) => {
        if (quarantine === undefined) return Effect.succeed(git)
        return quarantineName.test(quarantine)
          ? repositories.openView(git, join(git.gitDir, "objects", quarantine))
          : Effect.fail(
              gitError({ _tag: "InvalidName", name: quarantine, detail: "git has no such quarantine folder" })
            )
      }

      const examineAll = Effect.fn("PushReview.review")(
        function* (actor: PushActor, { quarantine, refs }: ProposedPush) {
          const { git } = actor.repository
          const moves: Array<RefMove> = []
          const refusals: Array<string> = []
          for (const pushed of refs) {
            const { move, refusal } = yield* examine(git, pushed)
            moves.push(move)
            if (refusal !== undefined) refusals.push(refusal)
          }
          if (refusals.length > 0) return { moves, refusals }
          const quarantined = { ...actor.repository, git: yield* withObjects(git, quarantine) }
          return { moves, refusals: yield* violations({ ...actor, repository: quarantined }, moves) }
        },
        Effect.scoped,
        Effect.map(({ moves, refusals }) => ({ moves, refusals: printable(refusals) })),
        Effect.catch((error: GitError) =>
          Effect.as(Effect.logError("the rules of a push could not be checked", error), {
            moves: [],
            refusals: ["The forge could not check the rules of this repository. See its log for the reason."]
          })
        )
      )

      return PushReview.of({
        review: ({ confirm, ...actor }, push) =>
          Effect.matchEffect(confirm, {
            onFailure: (error) =>
              Effect.succeed({
                moves: [],
                refusals: printable([error instanceof GitError ? error.message : error.detail])
              }),
            onSuccess: (role) => examineAll({ ...actor, role }, push)
          })
      })
    })
  )
}

/** Checks a reference without reading the objects. */
const examine = Effect.fnUntraced(function* (
  git: GitRepository,
  { after, before, ref }: PushedRef
): Effect.fn.Return<{ readonly move: RefMove; readonly refusal?: string }, GitError> {
  const current = (yield* git.ref(ref))?.oid ?? null
  // git deletes a reference even if the old id is unknown, so the actual id counts.
  const move = { ref, before: current, after: orNull(after) }
  const refused = (refusal: string) => ({ move, refusal: `${ref}: ${refusal}` })
  // Rules and events cannot match a name that is not UTF-8.
  const isAccepted = current === null ? RefName.isCreatable(ref) : RefName.isValid(ref)
  if (!isAccepted || ref.split("/").length < 3 || ref.includes("\uFFFD")) {
    return refused("The forge does not accept this name. Use a name such as refs/heads/feature.")
  }
  if (git.workTreeOf(ref) !== undefined) {
    return refused("The branch is checked out in a work tree of the forge's machine. Push another branch.")
  }
  if (git.isSymbolic(ref)) {
    return refused("It is a symbolic reference. Push the branch that it names.")
  }
  if (current !== orNull(before))
    return refused("The reference has moved since this push began. Fetch, then push again.")
  return { move }
})

const orNull = (oid: string) => (/^0+$/.test(oid) ? null : oid)

/** The first lines, without control characters for the client's terminal. */
const printable = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...lines.slice(0, MAX_LINES).map((line) => Terminal.escape(line).slice(0, 2000)),
  ...(lines.length > MAX_LINES ? [`Only the first ${MAX_LINES} problems are shown.`] : [])
]
