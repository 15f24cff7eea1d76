import type { Handlers, HistoryMethods } from "../workers/WorkerMethods.ts"
import * as HistoryBuilder from "./HistoryBuilder.ts"
import * as HistoryDatabase from "./HistoryDatabase.ts"
import { HistoryReader, type Walk } from "./HistoryReader.ts"
import { emptyBatch, type WalkBatch } from "../commits/CommitWalk.ts"

/** Creates the methods of a worker for the histories with indexes in a folder. */
export const make = (
  folder: string
): { readonly handlers: Handlers<HistoryMethods>; readonly close: () => Promise<void> } => {
  const reader = new HistoryReader(folder)
  const walks = new Map<number, { readonly walk: Walk; readonly controller: AbortController }>()

  const end = async (number: number): Promise<void> => {
    const open = walks.get(number)
    walks.delete(number)
    open?.controller.abort()
    // Waits for git to exit. A cancelled walk throws the reason.
    await open?.walk.return().catch(() => {})
  }

  const handlers: Handlers<HistoryMethods> = {
    build: async (input, { emit, signal }) => {
      HistoryDatabase.removeUnused(folder)
      return HistoryBuilder.build({ ...input, folder, onProgress: emit, signal })
    },
    forget: ({ gitDir }) => reader.forget(gitDir),
    beginWalk: async ({ start, walk: number }) => {
      const controller = new AbortController()
      const walk = reader.walk(start, controller.signal)
      walks.set(number, { walk, controller })
      await walk.next(0)
    },
    nextCommits: async ({ max, walk }): Promise<WalkBatch> => {
      const next = await walks.get(walk)?.walk.next(max)
      return next === undefined || next.done === true ? emptyBatch : next.value
    },
    endWalk: ({ walk }) => end(walk)
  }
  return {
    handlers,
    close: async () => {
      await Promise.all([...walks.keys()].map(end))
      reader.close()
    }
  }
}
