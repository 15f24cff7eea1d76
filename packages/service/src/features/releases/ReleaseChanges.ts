/** Publishes, changes and deletes releases, with their tags, webhooks and events. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Release } from "@tongs/core/contract/groups/Releases"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as TextReferences from "../../base/TextReferences.ts"
import { timestamp } from "../../base/Time.ts"
import { Events } from "../../events/Events.ts"
import { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import { AssetFiles } from "../../releases/AssetFiles.ts"
import * as GeneratedNotes from "../../releases/GeneratedNotes.ts"
import * as ImmutableReleasePolicy from "../../releases/ImmutableReleasePolicy.ts"
import { ReleaseAssetRows } from "../../releases/ReleaseAssetRows.ts"
import { type NewReleaseRow, type ReleaseColumns, type ReleaseRow, ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as ReleaseShapes from "../../releases/ReleaseShapes.ts"
import * as SemanticVersion from "../../releases/SemanticVersion.ts"
import { ImmutableTagRows } from "../../rules/ImmutableTagRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as RefMoves from "../gitData/RefMoves.ts"

/** How a release becomes the latest one. */
export type MakeLatest = "true" | "false" | "legacy"

/** The members of a release that a request sets. */
export interface ReleaseInput {
  readonly tag_name: string
  readonly target_commitish: string
  readonly name: string | null
  readonly body: string | null
  readonly draft: boolean
  readonly prerelease: boolean
}

type Action = "created" | "published" | "released" | "prereleased" | "edited" | "unpublished" | "deleted"

const validation = (errors: Parameters<typeof ApiError.invalid>[1]) => ApiError.invalid("Validation Failed", errors)

const custom = (message: string, field?: string) => ({
  resource: "Release",
  ...(field === undefined ? {} : { field }),
  code: "custom",
  message
})

const tagTaken = validation([{ resource: "Release", code: "already_exists", field: "tag_name" }])

/** Fails with GitHub's errors for a name that a tag cannot have. */
const checkTagName = (tag: string) => {
  if (tag === "") return Effect.fail(validation([{ resource: "Release", code: "missing_field", field: "tag_name" }]))
  if (RefName.isCreatable(RefName.tag(tag))) return Effect.void
  return Effect.fail(
    validation([
      custom("tag_name is not a valid tag", "tag_name"),
      custom("tag_name is not well-formed", "tag_name"),
      custom("Published releases must have a valid tag")
    ])
  )
}

const isTagPresent = (error: unknown) => error instanceof GitError && error.reason._tag === "AlreadyExists"

export const make = Effect.gen(function* () {
  const rows = yield* ReleaseRows
  const assets = yield* ReleaseAssetRows
  const files = yield* AssetFiles
  const events = yield* Events
  const immutableTags = yield* ImmutableTagRows
  const move = yield* RefMoves.make
  const policy = yield* ImmutableReleasePolicy.make
  const publicUrl = yield* PublicUrl
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  const countMentions = Effect.fnUntraced(function* (body: string | null) {
    const found = TextReferences.find(body ?? "").flatMap(({ reference }) =>
      reference._tag === "User" ? [reference.login.toLowerCase()] : []
    )
    const logins = [...new Set(found)]
    return logins.length === 0 ? 0 : (yield* users.byLogins(logins)).filter(({ type }) => type === "User").length
  })

  /** Returns the commit of the tag, or of the target from which publishing creates the tag. */
  const commitOf = Effect.fnUntraced(function* (
    input: ReleaseInput,
    { repository: { git } }: SignedInRepositoryContext
  ) {
    const tagged = yield* GeneratedNotes.commitOfTag(git, input.tag_name)
    if (tagged !== undefined) return { commit: tagged, isTagged: true }
    if ((yield* git.resolve("HEAD")) === undefined) return yield* validation([custom("Repository is empty.")])
    const commit = yield* GeneratedNotes.commitOfTarget(git, input.target_commitish)
    if (commit === undefined)
      return yield* validation([{ resource: "Release", code: "invalid", field: "target_commitish" }])
    return { commit, isTagged: false }
  })

  /** Fails unless a published release may have the tag. */
  const checkTag = Effect.fnUntraced(function* (
    tag: string,
    id: number | undefined,
    context: SignedInRepositoryContext
  ) {
    const { row } = context.repository
    const other = yield* rows.byTag(row.id, tag)
    if (other !== undefined && other.id !== id) return yield* tagTaken
    const used = yield* immutableTags.find(row.id, tag)
    if (used !== undefined && used.release_id !== (id ?? -1)) {
      return yield* validation([
        custom("tag_name was used by an immutable release", "tag_name"),
        custom("Published releases must have a valid tag")
      ])
    }
  })

  /** Checks the tag of a release, creates it for a published one, and returns the time of the commit. */
  const prepare = Effect.fnUntraced(function* (
    input: ReleaseInput,
    id: number | undefined,
    context: SignedInRepositoryContext
  ) {
    yield* checkTagName(input.tag_name)
    const { commit, isTagged } = yield* commitOf(input, context)
    if (!input.draft) {
      yield* checkTag(input.tag_name, id, context)
      if (!isTagged) {
        const created = move(context, { ref: RefName.tag(input.tag_name), before: null, after: commit })
        // Another request can have created the tag.
        yield* Effect.catchIf(created, isTagPresent, () => Effect.void)
      }
    }
    const found = yield* context.repository.git.commit(commit)
    return found === undefined ? yield* Clock.currentTimeMillis : found.committer.seconds * 1000
  })

  /** Returns the order number of a release that becomes the latest one, else its present number. */
  const latestOf = Effect.fnUntraced(function* (
    input: ReleaseInput,
    created_at: string,
    makeLatest: MakeLatest | undefined,
    present: Pick<ReleaseRow, "id" | "latest"> | undefined,
    repositoryId: number
  ) {
    if (input.draft || input.prerelease) return null
    if (makeLatest === undefined) return present?.latest ?? null
    if (makeLatest === "false") return null
    const next = rows.nextLatest(repositoryId)
    if (makeLatest === "true") return yield* next
    const latest = yield* rows.latest(repositoryId)
    if (latest === undefined || latest.id === present?.id) return yield* next
    const byVersion = SemanticVersion.compare(input.tag_name, latest.tag_name)
    const isNewer = byVersion === undefined ? created_at >= latest.created_at : byVersion > 0
    return isNewer ? yield* next : (present?.latest ?? null)
  })

  const payload = Effect.fnUntraced(function* (row: ReleaseRow, { repository }: SignedInRepositoryContext) {
    const shape: Release = ReleaseShapes.release(row, { body: row.body }, repository, yield* publicUrl.urls)
    return shape
  })

  /** Records the events of a change, in its transaction. Lists of events show only that a release was published. */
  const announce = Effect.fnUntraced(function* (
    actions: ReadonlyArray<Action>,
    row: ReleaseRow,
    context: SignedInRepositoryContext,
    changes?: Readonly<Record<string, unknown>>
  ) {
    const release = yield* payload(row, context)
    const at = { actor: context.caller.user, repository: context.repository }
    for (const action of actions) {
      const own = { action, ...(action === "edited" ? { changes: changes ?? {} } : {}), release }
      if (action === "published") yield* events.record({ ...at, type: "ReleaseEvent", payload: own })
      else yield* events.announce({ ...at, event: "release", action, payload: own })
    }
  })

  const find = (id: number, { repository }: SignedInRepositoryContext) => rows.find(repository.row.id, id)

  const create = Effect.fn("ReleaseChanges.create")(function* (
    input: ReleaseInput,
    makeLatest: MakeLatest,
    context: SignedInRepositoryContext
  ) {
    const { caller, repository } = context
    const created_at = timestamp(yield* prepare(input, undefined, context))
    const now = timestamp(yield* Clock.currentTimeMillis)
    const immutable = !input.draft && (yield* policy.applies(repository.row))
    return yield* transaction(
      Effect.gen(function* () {
        const row: NewReleaseRow = {
          ...input,
          repository_id: repository.row.id,
          author_id: caller.user.id,
          draft: input.draft ? 1 : 0,
          prerelease: input.prerelease ? 1 : 0,
          immutable: immutable ? 1 : 0,
          latest: yield* latestOf(input, created_at, makeLatest, undefined, repository.row.id),
          mentions_count: yield* countMentions(input.body),
          created_at,
          published_at: input.draft ? null : now,
          updated_at: now
        }
        const id = yield* rows.add(row)
        if (id === undefined) return yield* tagTaken
        if (immutable) yield* immutableTags.add(repository.row.id, input.tag_name, id)
        const added = yield* requireRow(find(id, context))
        const released = input.prerelease ? "prereleased" : "released"
        yield* announce(input.draft ? ["created"] : ["created", "published", released], added, context)
        return added
      })
    )
  })

  const update = Effect.fn("ReleaseChanges.update")(function* (
    before: ReleaseRow,
    input: ReleaseInput,
    makeLatest: MakeLatest | undefined,
    context: SignedInRepositoryContext
  ) {
    const { repository } = context
    const isPublished = before.draft === 1 && !input.draft
    const isUnpublished = before.draft === 0 && input.draft
    const movesTag = input.tag_name !== before.tag_name || input.target_commitish !== before.target_commitish
    if (before.immutable === 1 && (isUnpublished || input.tag_name !== before.tag_name))
      return yield* validation([custom("the tag of an immutable release cannot change", "tag_name")])
    const created_at =
      isPublished || movesTag ? timestamp(yield* prepare(input, before.id, context)) : before.created_at
    const now = timestamp(yield* Clock.currentTimeMillis)
    const immutable = before.immutable === 1 || (isPublished && (yield* policy.applies(repository.row)))
    const isPromoted = !isPublished && before.prerelease === 1 && !input.prerelease && !input.draft
    const how = makeLatest ?? (isPublished ? "true" : isPromoted ? "legacy" : undefined)
    return yield* transaction(
      Effect.gen(function* () {
        const latest = yield* latestOf(input, created_at, how, before, repository.row.id)
        const change: ReleaseColumns = {
          ...input,
          draft: input.draft ? 1 : 0,
          prerelease: input.prerelease ? 1 : 0,
          immutable: immutable ? 1 : 0,
          latest,
          mentions_count: yield* countMentions(input.body),
          created_at,
          published_at: input.draft ? null : isPublished ? now : before.published_at,
          updated_at: now
        }
        if ((yield* find(before.id, context)) === undefined) return yield* ApiError.notFound()
        if (!(yield* rows.update(before.id, change))) return yield* tagTaken
        if (immutable) yield* immutableTags.add(repository.row.id, input.tag_name, before.id)
        const after = yield* requireRow(find(before.id, context))
        const from = (member: "name" | "body" | "tag_name") =>
          before[member] === after[member] ? {} : { [member]: { from: before[member] ?? "" } }
        const becomesLatest = makeLatest !== undefined && latest !== null && latest !== before.latest
        const changes = {
          ...from("name"),
          ...from("body"),
          ...from("tag_name"),
          ...(becomesLatest ? { make_latest: { to: true } } : {})
        }
        const isReleased = isPublished ? !input.prerelease : isPromoted
        const isPrereleased =
          !input.draft && input.prerelease && (isPublished || (before.prerelease === 0 && before.draft === 0))
        const actions: ReadonlyArray<readonly [action: Action, applies: boolean]> = [
          ["published", isPublished],
          ["released", isReleased],
          ["prereleased", isPrereleased],
          ["unpublished", isUnpublished],
          ["edited", Object.keys(changes).length > 0 && !isPublished]
        ]
        yield* announce(
          actions.flatMap(([action, applies]) => (applies ? [action] : [])),
          after,
          context,
          changes
        )
        return after
      })
    )
  })

  const remove = Effect.fn("ReleaseChanges.remove")(function* (row: ReleaseRow, context: SignedInRepositoryContext) {
    const digests = yield* transaction(
      Effect.gen(function* () {
        const found = (yield* find(row.id, context)) ?? (yield* ApiError.notFound())
        const digests = yield* assets.digests({ releaseId: row.id })
        yield* rows.remove(row.id)
        yield* announce(["deleted"], found, context)
        return digests
      })
    )
    yield* files.removeUnused(digests)
  })

  return { create, update, remove }
})
