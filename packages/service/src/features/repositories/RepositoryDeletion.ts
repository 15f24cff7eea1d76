/** Deletes repositories: first the rows, in one transaction with the webhook event, then processes, index and files. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { Events } from "../../events/Events.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { Indexer } from "../../search/Indexer.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { Uploads } from "../artifacts/Uploads.ts"

/**
 * Creates the function that deletes a repository. Fails with 404 if another request has already deleted the repository.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const events = yield* Events
  const indexer = yield* Indexer
  const uploads = yield* Uploads
  const transaction = yield* Transaction.make

  const removeRows = Effect.fnUntraced(function* ({ caller, repository }: SignedInRepositoryContext) {
    const { row } = repository
    // Only webhooks of the organization receive the event: webhooks and deliveries of the repository are deleted.
    const at = { actor: caller.user, repository }
    yield* events.announce({ ...at, event: "repository", action: "deleted", payload: {} })
    const files = yield* uploads.archivesOf(row.id)
    if (!(yield* registry.remove(row, files))) return yield* ApiError.notFound()
  })

  return Effect.fnUntraced(function* (context: SignedInRepositoryContext) {
    const { repository } = context
    yield* transaction(removeRows(context))
    yield* registry.cleanUp(repository)
    yield* indexer.forget(repository)
  }, Effect.uninterruptible)
})
