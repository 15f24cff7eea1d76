/** All rows of reviews. */
import * as Layer from "effect/Layer"
import { ReviewCommentRows } from "./ReviewCommentRows.ts"
import { ReviewRequestRows } from "./ReviewRequestRows.ts"
import { ReviewRows } from "./ReviewRows.ts"
import { ReviewState } from "./ReviewState.ts"
import { ReviewThreadRows } from "./ReviewThreadRows.ts"

export const layer = Layer.mergeAll(
  ReviewCommentRows.layer,
  ReviewRequestRows.layer,
  ReviewRows.layer,
  ReviewState.layer,
  ReviewThreadRows.layer
)
