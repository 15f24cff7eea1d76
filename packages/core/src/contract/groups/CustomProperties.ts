/** Custom properties, which an organization defines for its repositories. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, RepositoryId } from "../Scalars.ts"

const valueTypes = ["string", "single_select", "multi_select", "true_false", "url"] as const // literal types
const editors = ["org_actors", "org_and_repo_actors"] as const // literal types

/** A value: several texts for a property of type `multi_select`, null for none. */
const Value = Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** The definition of a custom property. */
export const CustomProperty = Schema.Struct({
  property_name: Schema.String,
  url: Schema.optionalKey(Schema.String),
  source_type: Schema.optionalKey(openEnum(["organization", "enterprise"])),
  value_type: openEnum(valueTypes),
  required: Schema.optionalKey(Schema.Boolean),
  default_value: Schema.optionalKey(Value),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  allowed_values: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  values_editable_by: Schema.optionalKey(Schema.NullOr(openEnum(editors))),
  require_explicit_values: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "CustomProperty",
  ...Presentation.of({
    columns: {
      NAME: "property_name",
      TYPE: "value_type",
      REQUIRED: "required",
      VALUES: "allowed_values",
      DESCRIPTION: "description"
    },
    title: "property_name",
    identity: ["property_name"],
    arguments: { custom_property_name: "property_name" }
  })
})
export type CustomProperty = typeof CustomProperty.Type

/** The value of a custom property of a repository. */
export const CustomPropertyValue = Schema.Struct({ property_name: Schema.String, value: Value }).annotate({
  identifier: "CustomPropertyValue",
  ...Presentation.of({ columns: { NAME: "property_name", VALUE: "value" }, title: "property_name" })
})
export type CustomPropertyValue = typeof CustomPropertyValue.Type

/** A repository with the values of its custom properties. */
export const RepositoryProperties = Schema.Struct({
  repository_id: RepositoryId,
  repository_name: Schema.String,
  repository_full_name: Schema.String,
  properties: Schema.Array(CustomPropertyValue)
}).annotate({
  identifier: "RepositoryProperties",
  ...Presentation.of({
    columns: { REPOSITORY: "repository_full_name", PROPERTIES: "properties" },
    title: "repository_full_name",
    arguments: { repository_id: "repository_id" }
  })
})
export type RepositoryProperties = typeof RepositoryProperties.Type

const definition = {
  value_type: Schema.Literals(valueTypes).annotate({ description: "Type of the values, which never changes." }),
  required: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "True if every repository has a value; false by default." })
  ),
  default_value: Schema.optionalKey(
    Value.annotate({ description: "Value of repositories without one, if a value is required." })
  ),
  description: Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description: "Short description." })),
  allowed_values: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String)).annotate({ description: "Values to select from, at most 200." })
  ),
  values_editable_by: Schema.optionalKey(
    Schema.NullOr(Schema.Literals(editors)).annotate({
      description: "`org_and_repo_actors` lets administrators of a repository set its value; `org_actors` by default."
    })
  ),
  require_explicit_values: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "True if new repositories must set a value; false by default." })
  )
}

/** A definition in a request. */
export const NewCustomProperty = Schema.Struct(definition)
export type NewCustomProperty = typeof NewCustomProperty.Type

const NamedCustomProperty = Schema.Struct({
  property_name: Schema.String.annotate({ description: "Name of the property." }),
  ...definition
})

const valuesInput = Schema.Array(
  Schema.Struct({
    property_name: Schema.String.annotate({ description: "Name of the property." }),
    value: Value.annotate({ description: "Value; null removes the value." })
  })
)

const propertyPath = {
  ...organizationPath,
  custom_property_name: Schema.String.annotate({ description: "Name of the property." })
}

/** Only members of the organization can read its properties. */
const reads = {
  access: "write",
  permission: [[{ target: "organization", category: "custom_properties", level: "read" }]],
  scopes: ["read:org"]
} as const // literal types

const administers = {
  access: "administer",
  permission: [[{ target: "organization", category: "custom_properties", level: "write" }]],
  scopes: ["admin:org"]
} as const // literal types

/** Endpoints of custom properties. */
export class CustomProperties extends Group.make("customProperties", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/properties/schema", {
    params: organizationPath,
    success: Schema.Array(CustomProperty),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-get-organization-definitions",
      summary: "List the custom properties of an organization",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("setAll", "/orgs/:org/properties/schema", {
    params: organizationPath,
    payload: Schema.Struct({
      properties: Schema.Array(NamedCustomProperty).annotate({ description: "At most 100 definitions." })
    }),
    success: Schema.Array(CustomProperty),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-create-or-update-organization-definitions",
      summary: "Define custom properties of an organization",
      description: "Other properties stay. Values that a definition no longer allows are removed.",
      reversible: false,
      ...administers
    })
  ),
  HttpApiEndpoint.get("get", "/orgs/:org/properties/schema/:custom_property_name", {
    params: propertyPath,
    success: CustomProperty,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-get-organization-definition",
      summary: "Get a custom property of an organization",
      ...reads
    })
  ),
  HttpApiEndpoint.put("set", "/orgs/:org/properties/schema/:custom_property_name", {
    params: propertyPath,
    payload: NewCustomProperty,
    success: CustomProperty,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-create-or-update-organization-definition",
      summary: "Define a custom property of an organization",
      description: "Values that the definition no longer allows are removed.",
      words: "create custom property, add custom property",
      reversible: false,
      ...administers
    })
  ),
  HttpApiEndpoint.delete("delete", "/orgs/:org/properties/schema/:custom_property_name", {
    params: propertyPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-delete-organization-definition",
      summary: "Delete a custom property of an organization",
      description: "Repositories lose the value.",
      ...administers
    })
  ),
  HttpApiEndpoint.get("listValues", "/orgs/:org/properties/values", {
    params: organizationPath,
    query: {
      ...pageQuery,
      repository_query: Schema.optionalKey(
        Schema.String.annotate({ description: "Only repositories that a search with this query finds." })
      )
    },
    success: Paged(Schema.Array(RepositoryProperties)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-get-organization-values",
      summary: "List repositories of an organization with their custom properties",
      command: "values",
      paging: "page",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("setValues", "/orgs/:org/properties/values", {
    params: organizationPath,
    payload: Schema.Struct({
      repository_names: Schema.Array(Schema.String).annotate({
        description: "Names of repositories, without the owner; at most 30."
      }),
      properties: valuesInput.annotate({ description: "The values to set." })
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/custom-properties-for-repos-create-or-update-organization-values",
      summary: "Set custom properties of repositories of an organization",
      command: "set-values",
      reversible: false, // the repositories can have different values
      ...administers
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/properties/values", {
    params: repositoryPath,
    success: Schema.Array(CustomPropertyValue),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/custom-properties-for-repos-get-repository-values",
      summary: "List the custom properties of a repository",
      command: "list-for-repository",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.patch("setForRepo", "/repos/:owner/:repo/properties/values", {
    params: repositoryPath,
    payload: Schema.Struct({ properties: valuesInput.annotate({ description: "The values to set." }) }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/custom-properties-for-repos-create-or-update-repository-values",
      summary: "Set custom properties of a repository",
      command: "set-for-repository",
      reversible: false, // a value of null removes the previous one
      permission: [[{ target: "repository", category: "custom_properties", level: "write" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      access: "administer"
    })
  )
]) {}
