/** Creates the resources of reviews and review comments for a reader, in as many statements for a page as for one. */
import * as Effect from "effect/Effect"
import type { RequestContext } from "../api/RequestContext.ts"
import { AuthorAssociations } from "../issues/AuthorAssociation.ts"
import { MarkdownBodies } from "../issues/MarkdownBodies.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { ReviewCommentRow } from "./ReviewCommentRows.ts"
import type { ReviewRow } from "./ReviewRows.ts"
import * as ReviewShapes from "./ReviewShapes.ts"

type Reader = Pick<RequestContext, "caller" | "urls" | "mediaType">

export const make = Effect.gen(function* () {
  const bodies = yield* MarkdownBodies
  const { association } = yield* AuthorAssociations

  const detailsOf = Effect.fnUntraced(function* (
    rows: ReadonlyArray<Pick<ReviewRow | ReviewCommentRow, "author" | "standing" | "body">>,
    repository: ServedRepository,
    reader: Reader
  ) {
    const texts = yield* bodies.make(
      rows.map(({ body }) => ({ text: body, repository })),
      reader
    )
    return yield* Effect.forEach(rows, ({ author, body, standing }, index) =>
      Effect.map(association(repository, author, standing), (association): ReviewShapes.ReviewDetails => ({
        fullName: repository.fullName,
        association,
        body: texts[index] ?? { body }
      }))
    )
  })

  return {
    /** Creates reviews of pull requests of one repository. */
    reviews: Effect.fnUntraced(function* (
      rows: ReadonlyArray<ReviewRow>,
      repository: ServedRepository,
      reader: Reader
    ) {
      const details = yield* detailsOf(rows, repository, reader)
      return rows.flatMap((row, index) => {
        const own = details[index]
        return own === undefined ? [] : [ReviewShapes.review(row, own, reader.urls)]
      })
    }),

    /** Creates review comments of one repository. */
    comments: Effect.fnUntraced(function* (
      rows: ReadonlyArray<ReviewCommentRow>,
      repository: ServedRepository,
      reader: Reader
    ) {
      const details = yield* detailsOf(rows, repository, reader)
      return rows.flatMap((row, index) => {
        const own = details[index]
        return own === undefined ? [] : [ReviewShapes.comment(row, own, reader.urls)]
      })
    })
  }
})
