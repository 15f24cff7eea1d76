/** Deletes repositories: first the rows, in one transaction with the webhook event, then processes, index and files. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import { Events } from "../../events/Events.ts"
import { ForkRows } from "../../repositories/ForkRows.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { JobLogs } from "../../runs/JobLogs.ts"
import { HistoryIndex } from "../../search/history/HistoryIndex.ts"
import { Indexer } from "../../search/Indexer.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { AssetFiles } from "../../releases/AssetFiles.ts"
import { Uploads } from "../artifacts/Uploads.ts"

/**
 * Creates the function that deletes a repository. Fails with 404 if another request has already deleted the repository.
 * The forks of a private repository are deleted, too, because they have what its owner may want to withdraw. Of a
 * public one, the oldest fork becomes the root of the network.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const events = yield* Events
  const forks = yield* ForkRows
  const history = yield* HistoryIndex
  const indexer = yield* Indexer
  const logs = yield* JobLogs
  const uploads = yield* Uploads
  const assets = yield* AssetFiles
  const transaction = yield* Transaction.make

  const removeRows = Effect.fnUntraced(function* (actor: UserRow, repository: ServedRepository) {
    const { row } = repository
    // Only webhooks of the organization receive the event: webhooks and deliveries of the repository are deleted.
    yield* events.announce({ actor, repository, event: "repository", action: "deleted", payload: {} })
    const files = [...(yield* uploads.archivesOf(row.id)), ...(yield* assets.ofRepository(row.id))]
    return yield* registry.remove(row, [...files, logs.removal(row.id)])
  })

  /** Deletes the rows of the repository and of its private forks. Returns the deleted repositories. */
  const removeNetwork = Effect.fnUntraced(function* ({ caller, repository }: SignedInRepositoryContext) {
    const all = yield* registry.list
    const row = all.find(({ id }) => id === repository.row.id) ?? (yield* ApiError.notFound())
    const isPrivateRoot = row.private === 1 && row.parent_id === null
    const inNetwork = isPrivateRoot && row.network > 0 ? all.filter(({ source_id }) => source_id === row.id) : []
    const removed = [...(yield* registry.open(inNetwork)), repository]
    for (const one of removed.slice(0, -1)) yield* removeRows(caller.user, one)
    if (!isPrivateRoot) yield* forks.detach(row)
    if (!(yield* removeRows(caller.user, repository))) return yield* ApiError.notFound()
    return removed
  })

  return Effect.fnUntraced(function* (context: SignedInRepositoryContext) {
    for (const repository of yield* transaction(removeNetwork(context))) {
      yield* registry.cleanUp(repository)
      yield* indexer.forget(repository)
      yield* history.forget(repository)
    }
  }, Effect.uninterruptible)
})
