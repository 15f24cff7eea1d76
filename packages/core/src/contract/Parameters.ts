/** Parameters that many endpoints share. */
import * as Schema from "effect/Schema"

/** Owner and name of a repository (spec part 2), case-insensitive. */
export const repositoryPath = {
  owner: Schema.String.annotate({ description: "Account that owns the repository." }),
  repo: Schema.String.annotate({ description: "Name of the repository, without `.git`." })
}

/** A file of a repository. */
export const filePath = {
  ...repositoryPath,
  path: Schema.String.annotate({ description: "Path of the file." })
}

/** A revision of a repository. */
export const refQuery = {
  ref: Schema.optionalKey(
    Schema.String.annotate({ description: "Branch, tag or commit; the default branch if left out." })
  )
}

/** Page size and number (spec part 1 §1.4). */
export const pageQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items per page, up to 100; 30 by default." })),
  page: Schema.optionalKey(Schema.Int.annotate({ description: "Page number, from 1." }))
}

/** Name of an organization (spec part 3), case-insensitive. */
export const organizationPath = { org: Schema.String.annotate({ description: "Name of the organization." }) }

/** Slug of an enterprise (spec part 3 §4.2). */
export const enterprisePath = { enterprise: Schema.String.annotate({ description: "Slug of the enterprise." }) }
