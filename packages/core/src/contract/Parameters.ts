/** Parameters that many endpoints share. */
import * as Schema from "effect/Schema"

/** Which repository (spec part 2). Neither is case sensitive. */
export const repositoryPath = {
  owner: Schema.String.annotate({ description: "Account that owns the repository." }),
  repo: Schema.String.annotate({ description: "Name of the repository, without `.git`." })
}

/** Which page (spec part 1 §1.4): `per_page` up to 100, 30 by default; `page` from 1. */
export const pageQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items a page, up to 100; 30 by default." })),
  page: Schema.optionalKey(Schema.Int.annotate({ description: "Which page, from 1." }))
}

/** Which organization (spec part 3). Not case sensitive. */
export const organizationPath = { org: Schema.String.annotate({ description: "Name of the organization." }) }

/** Which enterprise (spec part 3 §4.2). */
export const enterprisePath = { enterprise: Schema.String.annotate({ description: "Slug of the enterprise." }) }
