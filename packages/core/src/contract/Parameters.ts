/** Parameters that many endpoints share. */
import * as Schema from "effect/Schema"

/** Path parameters: owner and name of a repository, case-insensitive. */
export const repositoryPath = {
  owner: Schema.String.annotate({ description: "Account that owns the repository." }),
  repo: Schema.String.annotate({ description: "Name of the repository, without `.git`." })
}

/** Path parameters: a repository and the number of a milestone. */
export const milestonePath = {
  ...repositoryPath,
  milestone_number: Schema.Int.annotate({ description: "Number of the milestone." })
}

/** Path parameters: a repository and the id of a release. */
export const releasePath = {
  ...repositoryPath,
  release_id: Schema.Int.annotate({ description: "Id of the release." })
}

/** Path parameters: a repository and a commit. */
export const commitRefPath = {
  ...repositoryPath,
  ref: Schema.String.annotate({ description: "Commit, branch or tag." })
}

/** Path parameters: a repository and the path of one of its files. */
export const filePath = {
  ...repositoryPath,
  path: Schema.String.annotate({ description: "Path of the file." })
}

/** Path parameters: a repository and one of its environments. */
export const environmentPath = {
  ...repositoryPath,
  environment_name: Schema.String.annotate({ description: "Name of the environment; write a slash as `%2F`." })
}

/** Query parameter: a revision of a repository. */
export const refQuery = {
  ref: Schema.optionalKey(
    Schema.String.annotate({ description: "Branch, tag or commit; the default branch if left out." })
  )
}

/** Query parameters: page size, at most 100, and page number, from 1. */
export const pageQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items per page, up to 100; 30 by default." })),
  page: Schema.optionalKey(Schema.Int.annotate({ description: "Page number, from 1." }))
}

/** Path parameter: login of an account, case-insensitive. */
export const usernamePath = { username: Schema.String.annotate({ description: "Login of the account." }) }

/** Path parameter: name of an organization, case-insensitive. */
export const organizationPath = { org: Schema.String.annotate({ description: "Name of the organization." }) }

/** Path parameters: an organization and one of its teams. */
export const teamPath = {
  ...organizationPath,
  team_slug: Schema.String.annotate({ description: "Slug of the team." })
}

/** Path parameter: slug of an enterprise. */
export const enterprisePath = { enterprise: Schema.String.annotate({ description: "Slug of the enterprise." }) }
