import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Releases } from "@tongs/core/contract/groups/Releases"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Characters from "../../base/Characters.ts"
import { MarkdownBodies } from "../../issues/MarkdownBodies.ts"
import * as GeneratedNotes from "../../releases/GeneratedNotes.ts"
import { type ReleaseRow, ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as ReleaseShapes from "../../releases/ReleaseShapes.ts"
import * as DraftAccess from "./DraftAccess.ts"
import * as ReleaseChanges from "./ReleaseChanges.ts"
import * as ReleaseTarget from "./ReleaseTarget.ts"

/** Maximum length of notes and of a title, in characters, as on GitHub. */
const MAX_BODY = 125_000
const MAX_NAME = 255

const tooLong = (field: string, max: number) => {
  const message = `${field} is too long (maximum is ${max} characters)`
  return ApiError.invalid("Validation Failed", [{ resource: "Release", code: "custom", field, message }])
}

const checkTexts = Effect.fnUntraced(function* (name: string | null | undefined, body: string | null | undefined) {
  if (Characters.exceed(name ?? "", MAX_NAME)) return yield* tooLong("name", MAX_NAME)
  if (Characters.exceed(body ?? "", MAX_BODY)) return yield* tooLong("body", MAX_BODY)
})

/** Fails with 404 for the category of a discussion: the forge has no discussions. */
const refuseDiscussion = (category: string | undefined) =>
  category === undefined || category === "" ? Effect.void : Effect.fail(ApiError.notFound())

/** Handlers of releases. */
export const make = Effect.gen(function* () {
  const rows = yield* ReleaseRows
  const bodies = yield* MarkdownBodies
  const changes = yield* ReleaseChanges.make
  const generate = yield* GeneratedNotes.make
  const target = yield* ReleaseTarget.make

  const shapes = Effect.fnUntraced(function* (found: ReadonlyArray<ReleaseRow>, context: RepositoryContext) {
    const { repository, urls } = context
    const texts = yield* bodies.make(
      found.map(({ body }) => ({ text: body ?? "", repository })),
      context
    )
    return Arr.zipWith(found, texts, (row, text) =>
      ReleaseShapes.release(
        row,
        row.body === null && text.body !== undefined ? { ...text, body: null } : text,
        repository,
        urls
      )
    )
  })

  const shape = Effect.fnUntraced(function* (row: ReleaseRow | undefined, context: RepositoryContext) {
    const [release] = yield* shapes(row === undefined ? [] : [row], context)
    return release ?? (yield* ApiError.notFound())
  })

  return group(Releases)({
    *list(_, context) {
      const { items, total } = yield* rows.list(
        context.repository.row.id,
        DraftAccess.seesDrafts(context),
        context.page
      )
      return { items: yield* shapes(items, context), total }
    },

    *create(input, context) {
      const { repository, urls } = context
      yield* refuseDiscussion(input.discussion_category_name)
      yield* checkTexts(input.name, input.body)
      const tag = input.tag_name.trim()
      const targetCommitish = input.target_commitish || (yield* repository.git.head)
      const notes =
        input.generate_release_notes === true
          ? yield* generate({ tag, target: targetCommitish }, repository, urls)
          : undefined
      const given = input.body ?? null
      const body = notes === undefined ? given : [given ?? "", notes.body].filter((text) => text !== "").join("\n\n")
      yield* checkTexts(undefined, body)
      const row = yield* changes.create(
        {
          tag_name: tag,
          target_commitish: targetCommitish,
          name: input.name ?? notes?.name ?? null,
          body,
          draft: input.draft === true,
          prerelease: input.prerelease === true
        },
        input.make_latest ?? "true",
        context
      )
      return yield* shape(row, context)
    },

    *generateNotes(input, { repository, urls }) {
      return yield* generate(
        {
          tag: input.tag_name,
          target: input.target_commitish,
          previousTag: input.previous_tag_name,
          configurationPath: input.configuration_file_path
        },
        repository,
        urls
      )
    },

    *getLatest(_, context) {
      return yield* shape(yield* rows.latest(context.repository.row.id), context)
    },

    *getByTag({ tag }, context) {
      return yield* shape(yield* rows.byTag(context.repository.row.id, tag), context)
    },

    *get({ release_id }, context) {
      return yield* shape(yield* target.find(release_id, context), context)
    },

    *update(input, context) {
      yield* refuseDiscussion(input.discussion_category_name)
      yield* checkTexts(input.name, input.body)
      const before = yield* target.find(input.release_id, context)
      const row = yield* changes.update(
        before,
        {
          tag_name: input.tag_name?.trim() ?? before.tag_name,
          target_commitish: input.target_commitish || before.target_commitish,
          name: input.name ?? before.name,
          body: input.body ?? before.body,
          draft: input.draft ?? before.draft === 1,
          prerelease: input.prerelease ?? before.prerelease === 1
        },
        input.make_latest,
        context
      )
      return yield* shape(row, context)
    },

    *delete({ release_id }, context) {
      yield* changes.remove(yield* target.find(release_id, context), context)
    }
  })
})
