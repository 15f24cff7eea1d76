/** Pull requests in other resources. */
import * as Schema from "effect/Schema"
import * as Presentation from "../Presentation.ts"
import { ObjectId } from "../Scalars.ts"

const branch = Schema.Struct({
  ref: Schema.String,
  sha: ObjectId,
  repo: Schema.Struct({ id: Schema.Int, url: Schema.String, name: Schema.String })
})

/** A pull request whose head is the commit of a check. */
export const PullRequestReference = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int,
  url: Schema.String,
  head: branch,
  base: branch
}).annotate({
  identifier: "PullRequestReference",
  ...Presentation.of({ columns: { NUMBER: "number", HEAD: "head.ref", BASE: "base.ref" }, inline: true })
})
export type PullRequestReference = typeof PullRequestReference.Type
