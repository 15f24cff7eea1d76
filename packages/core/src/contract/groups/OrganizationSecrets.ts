/** Secrets of organizations, for the workflows of their repositories. */
import * as Schema from "effect/Schema"
import * as Group from "../Group.ts"
import { organizationPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import * as OrganizationValues from "./OrganizationValues.ts"
import * as Secret from "./Secret.ts"

/** A secret of an organization. */
export const OrganizationSecret = Schema.Struct({
  ...Secret.secretFields,
  ...OrganizationValues.organizationValueFields
}).annotate({
  identifier: "OrganizationSecret",
  ...Presentation.of({
    columns: { NAME: "name", VISIBILITY: "visibility", CREATED: "created_at", UPDATED: "updated_at" },
    arguments: { secret_name: "name" }
  })
})
export type OrganizationSecret = typeof OrganizationSecret.Type

const OrganizationSecretList = Schema.Struct({
  total_count: Schema.Int,
  secrets: Schema.Array(OrganizationSecret)
}).annotate({ identifier: "OrganizationSecretList" })

/** Endpoints of secrets of organizations. */
export class OrganizationSecrets extends Group.make("organizationSecrets", () => [
  ...Secret.endpoints({
    id: "org",
    words: "an organization",
    path: "/orgs/:org/actions",
    params: organizationPath,
    item: OrganizationSecret,
    list: OrganizationSecretList,
    input: {
      ...Secret.optionalSecretInput,
      visibility: OrganizationValues.visibilityInput,
      ...OrganizationValues.selectedRepositoriesInput
    },
    reads: { ...OrganizationValues.rules("secrets", "read"), privateScopes: [] },
    writes: { ...OrganizationValues.rules("secrets", "write"), privateScopes: [] },
    readsKey: { ...OrganizationValues.rules("secrets", "read"), privateScopes: [] },
    exposure: OrganizationValues.exposure("secret")
  }),
  ...OrganizationValues.repositoryEndpoints({
    category: "secrets",
    noun: "secret",
    path: "/orgs/:org/actions/secrets/:secret_name",
    params: Secret.secretPath
  })
]) {}
