/** Variables of workflows, and the endpoints that all owners of variables have. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Exposure from "../Exposure.ts"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** Members of every variable. */
export const variableFields = {
  name: Schema.String,
  value: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp
}

/** A variable of a repository or environment. */
export const Variable = Schema.Struct(variableFields).annotate({
  identifier: "Variable",
  ...Presentation.of({
    columns: { NAME: "name", VALUE: "value", UPDATED: "updated_at" },
    arguments: { variable_name: "name" }
  })
})
export type Variable = typeof Variable.Type

/** A page of variables. */
export const VariableList = Schema.Struct({ total_count: Schema.Int, variables: Schema.Array(Variable) }).annotate({
  identifier: "VariableList"
})

/** Query parameters: page size, at most 30, and page number, from 1. */
export const variablePageQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items per page, up to 30; 10 by default." })),
  page: Schema.optionalKey(Schema.Int.annotate({ description: "Page number, from 1." }))
}

/** The pages of lists of variables. */
export const variablePaging = { paging: "page", perPage: 10, maxPerPage: 30 } as const // literal types

const name = Schema.String.annotate({ description: "The name: letters, digits and underscores." })
const value = Schema.String.annotate({ description: "The value, up to 48 KB." })

/** Input fields of a new variable. */
export const newVariableInput = { name, value }

/** Input fields of a change of a variable. */
export const variableChangeInput = {
  name: Schema.optionalKey(Schema.String.annotate({ description: "The new name." })),
  value: Schema.optionalKey(value)
}

/** Path parameter: the name of a variable. */
export const variablePath = { variable_name: Schema.String.annotate({ description: "Name of the variable." }) }

/** Access rules of one endpoint. */
type Rules = Pick<Operation.Operation, "access" | "permission" | "privateScopes" | "scopes">

/** The owner of variables: where its endpoints are, and who may call them. */
interface Owner<Path extends `/${string}`, Params, Item, List, Input, Change> {
  /** The owner in ids of operations, for example `repo`. */
  readonly id: string
  /** The owner in summaries, for example `a repository`. */
  readonly words: string
  readonly path: Path
  readonly params: Params
  readonly item: Item
  readonly list: List
  readonly input: Input
  readonly change: Change
  readonly reads: Rules
  readonly writes: Rules
  readonly exposure?: Exposure.Exposure
  /** See `Operation.reversible`, for changes. */
  readonly reversible?: Operation.Operation["reversible"]
}

/** Declares the endpoints of an owner's variables. */
export const endpoints = <
  const Path extends `/${string}`,
  Params extends Schema.Struct.Fields,
  Item extends Schema.Top,
  List extends Schema.Top & { readonly Type: { readonly total_count: number } },
  Input extends Schema.Struct.Fields,
  Change extends Schema.Struct.Fields
>({
  change,
  exposure,
  id,
  input,
  item,
  list,
  params,
  path,
  reads,
  reversible = true,
  words,
  writes
}: Owner<Path, Params, Item, List, Input, Change>) =>
  [
    HttpApiEndpoint.get("list", `${path}/variables` as const, {
      params,
      query: variablePageQuery,
      success: Paged(list),
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/list-${id}-variables`,
        summary: `List variables of ${words}`,
        ...reads,
        ...variablePaging
      })
    ),
    HttpApiEndpoint.post("create", `${path}/variables` as const, {
      params,
      payload: Schema.Struct(input),
      success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201)),
      error: [notFound, conflict, validationFailed]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/create-${id}-variable`,
        summary: `Create a variable of ${words}`,
        words: "set variable, new variable",
        description: "The value is not secret: everyone who can read the variables sees it.",
        ...writes,
        ...(exposure === undefined ? {} : { exposure })
      })
    ),
    HttpApiEndpoint.get("get", `${path}/variables/:variable_name` as const, {
      params: { ...params, ...variablePath },
      success: item,
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/get-${id}-variable`,
        summary: `Get a variable of ${words}`,
        ...reads
      })
    ),
    HttpApiEndpoint.patch("update", `${path}/variables/:variable_name` as const, {
      params: { ...params, ...variablePath },
      payload: Schema.Struct(change),
      success: HttpApiSchema.NoContent,
      error: [notFound, conflict, validationFailed]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/update-${id}-variable`,
        summary: `Update a variable of ${words}`,
        ...writes,
        reversible,
        ...(exposure === undefined ? {} : { exposure })
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/variables/:variable_name` as const, {
      params: { ...params, ...variablePath },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/delete-${id}-variable`,
        summary: `Delete a variable of ${words}`,
        words: "remove variable",
        ...writes
      })
    )
  ] as const // a tuple, so that each endpoint keeps its type
