/** Adds blame to the client of a remote forge that lacks this operation. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import type { Forge } from "@tongs/core/client/Forge"
import type { RawInput } from "@tongs/core/client/RawCall"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as Failure from "@tongs/core/contract/Failure"
import type { Blame } from "@tongs/core/contract/groups/History"
import type { BlamedFile } from "./FileVersions.ts"
import * as RemoteBlame from "./RemoteBlame.ts"

/** Maximum number of requests of a call. The next call of the same client reads further. */
const MAX_REQUESTS = 300

type Client = Forge["Service"]

/** Returns a client that computes the blame of a file from the file's versions if the forge has no blame operation. */
export const make = Effect.fnUntraced(function* (forge: Client) {
  const { blame } = yield* RemoteBlame.make(forge)

  /** Replaces a branch or tag by the commit, so that the next call can use the cached versions. */
  const pin = Effect.fnUntraced(function* (file: BlamedFile, options: CallOptions) {
    if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(file.ref)) return file
    const { owner, ref, repo } = file
    const { items } = yield* forge.commits.list(
      { owner, repo, ...(ref === "" ? {} : { sha: ref }) },
      {
        ...options,
        perPage: 1
      }
    ).first
    return { ...file, ref: items[0]?.sha ?? ref }
  })

  const compute = Effect.fnUntraced(function* (given: BlamedFile, options: CallOptions) {
    const file = yield* pin(given, options)
    const { complete, known, lines, ranges, until } = yield* blame(
      file,
      { more: MAX_REQUESTS },
      Effect.succeed(options)
    )
    const request = `blame of ${given.owner}/${given.repo}:${given.path}`
    if (complete && ranges.length === 0 && lines === 0) {
      return yield* new Failure.NotFound({ request, detail: `no file ${given.path} at ${file.ref}` })
    }
    if (until !== null && known === 0) {
      const detail = "no budget to read the versions of the file"
      return yield* new Failure.RateLimited({ request, detail, limit: "primary", resource: "core", until })
    }
    return { ranges, ...(complete ? {} : { incomplete_results: true }) } satisfies Blame
  })

  const call: Client["call"] = (entry, input = {}, options = {}) => {
    const answer = forge.call(entry, input, options)
    if (!isBlame(entry)) return answer
    const { deadline, priority = "background", timeout } = options
    const given = {
      priority,
      ...(deadline === undefined ? {} : { deadline }),
      ...(timeout === undefined ? {} : { timeout })
    }
    const { owner, path, ref, repo } = input
    const file = { owner: text(owner), repo: text(repo), path: text(path), ref: text(ref) }
    return Effect.catchTag(answer, "Unsupported", () => compute(file, given))
  }
  const history = () => ({
    ...forge.history,
    getBlame: (input: RawInput, options?: CallOptions) => call(blameEntry(), input, options)
  })
  // The groups of the client are created on first access, so the client is not copied.
  const client: Client = Object.create(forge, {
    call: { value: call, enumerable: true },
    history: { get: history, enumerable: true }
  })
  return client
})

const isBlame = ({ group, name }: CatalogEntry) => group === "history" && name === "getBlame"

const blameEntry = () => Option.getOrThrow(Option.fromUndefinedOr(entriesOfGroup("history").find(isBlame)))

const text = (value: unknown): string => (typeof value === "string" ? value : "")
