/** Variables of organizations, for the workflows of their repositories. */
import * as Schema from "effect/Schema"
import * as Group from "../Group.ts"
import { organizationPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import * as OrganizationValues from "./OrganizationValues.ts"
import * as Variable from "./Variable.ts"

/** A variable of an organization. */
export const OrganizationVariable = Schema.Struct({
  ...Variable.variableFields,
  ...OrganizationValues.organizationValueFields
}).annotate({
  identifier: "OrganizationVariable",
  ...Presentation.of({
    columns: { NAME: "name", VALUE: "value", VISIBILITY: "visibility", UPDATED: "updated_at" },
    arguments: { variable_name: "name" }
  })
})
export type OrganizationVariable = typeof OrganizationVariable.Type

const OrganizationVariableList = Schema.Struct({
  total_count: Schema.Int,
  variables: Schema.Array(OrganizationVariable)
}).annotate({ identifier: "OrganizationVariableList" })

/** Endpoints of variables of organizations. */
export class OrganizationVariables extends Group.make("organizationVariables", () => [
  ...Variable.endpoints({
    id: "org",
    words: "an organization",
    path: "/orgs/:org/actions",
    params: organizationPath,
    item: OrganizationVariable,
    list: OrganizationVariableList,
    input: {
      ...Variable.newVariableInput,
      visibility: OrganizationValues.visibilityInput,
      ...OrganizationValues.selectedRepositoriesInput
    },
    change: {
      ...Variable.variableChangeInput,
      visibility: Schema.optionalKey(OrganizationValues.visibilityInput),
      ...OrganizationValues.selectedRepositoriesInput
    },
    reads: { ...OrganizationValues.rules("actions_variables", "read"), privateScopes: [] },
    writes: { ...OrganizationValues.rules("actions_variables", "write"), privateScopes: [] },
    exposure: OrganizationValues.exposure("variable"),
    // The variable does not have the ids of its repositories.
    reversible: { except: { visibility: "any", selected_repository_ids: "any" } }
  }),
  ...OrganizationValues.repositoryEndpoints({
    category: "actions_variables",
    noun: "variable",
    path: "/orgs/:org/actions/variables/:variable_name",
    params: Variable.variablePath
  })
]) {}
