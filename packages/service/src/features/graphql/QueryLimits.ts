/**
 * Limits of requests, checked before the validation, so that no document and no variables take long.
 *
 * **Details**
 *
 * `checkSource` bounds the parser, which is recursive. `checkDocument` bounds the validation, which compares fields and
 * fragments in pairs, and the size of the result. `checkVariables` bounds their coercion, whose errors print them.
 */
import type * as GraphQlLibrary from "graphql"
import type { DocumentNode, FieldNode, GraphQLErrorOptions, OperationDefinitionNode, SelectionSetNode } from "graphql"
import * as QueryCost from "@tongs/core/limits/QueryCost"
import { QueryError } from "./QueryError.ts"

type Library = typeof GraphQlLibrary

/** Maximum size of a request, in bytes. */
export const MAX_BYTES = 1_000_000

/** Maximum tokens and nested brackets of a query, and maximum values in the variables. */
const MAX_TOKENS = 20_000
const MAX_BRACKETS = 100
const MAX_VALUES = 10_000

/** Maximum nested fields of a query, and maximum fields of the root, of a selection and of the whole result. */
const MAX_DEPTH = 24
const MAX_ROOT_FIELDS = 100
const MAX_SELECTED_FIELDS = 500
const MAX_RESULT_FIELDS = 400_000

/** Items of a list whose size the query does not give, and the cost of one list in fields. */
const MAX_ITEMS = 100
const LIST_COST = 20

/**
 * Average items of the lists that show the schema. They are always full and fields of the library, so each of their
 * fields counts several times, and more in `__type`, because the largest type has more members than others.
 */
const schemaLists: ReadonlyMap<string, number> = new Map([
  ["__schema", 3],
  ["__type", 68],
  ["types", 225],
  ["fields", 4],
  ["inputFields", 1],
  ["args", 1],
  ["enumValues", 1],
  ["possibleTypes", 1],
  ["interfaces", 1],
  ["directives", 8],
  ["locations", 2]
])

/** Items of lists that are short or empty in this forge, whatever size the query asks for. */
const shortLists: ReadonlyMap<string, number> = new Map([
  ["authors", 1],
  ["projectCards", 1],
  ["projectItems", 1],
  ["latestReviews", 5],
  ["reviewRequests", 5],
  ["reviews", 10]
])

/** Nested fields of a selection, its own fields, the fields of the result if all lists are full, and the cost. */
interface Extent {
  readonly depth: number
  readonly width: number
  readonly fields: number
  readonly cost: QueryCost.QueryCost
}

const none: Extent = { depth: 0, width: 0, fields: 0, cost: QueryCost.none }

/** Creates the error for a request above a limit of this forge. GitHub has the same type for its own limits. */
const exceeded = (
  { GraphQLError }: Library,
  message: string,
  options: GraphQLErrorOptions = {},
  type = "RESOURCE_LIMITS_EXCEEDED"
) => new GraphQLError(message, { ...options, originalError: new QueryError(type, message) })

/** Fails for a text with too many tokens or nested brackets. */
export const checkSource = (library: Library, query: string): void => {
  const { Lexer, Source, TokenKind } = library
  const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
  const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])
  const lexer = new Lexer(new Source(query))
  let brackets = 0
  for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens++) {
    const { kind } = lexer.token
    if (tokens === MAX_TOKENS) throw exceeded(library, `The query has more than ${MAX_TOKENS} tokens`)
    if (opening.has(kind)) brackets++
    if (closing.has(kind)) brackets--
    if (brackets > MAX_BRACKETS) throw exceeded(library, `The query has more than ${MAX_BRACKETS} nested brackets`)
  }
}

/** Fails for variables with too many values. */
export const checkVariables = (library: Library, variables: object): void => {
  const objects = [variables]
  let values = 0
  // The loop reads the objects that it adds.
  for (const object of objects) {
    // Does not list the members of a huge object.
    for (const name in object) {
      if (++values > MAX_VALUES) throw exceeded(library, `The variables have more than ${MAX_VALUES} values`)
      const value: unknown = Reflect.get(object, name)
      if (typeof value === "object" && value !== null) objects.push(value)
    }
  }
}

/**
 * Fails for an operation that selects too much. `lists` are the names of the fields with pages; `variables` are those of
 * the request, which can have the size of a page. Returns the cost of the operations.
 */
export const checkDocument = (
  library: Library,
  document: DocumentNode,
  lists: ReadonlySet<string>,
  variables: Readonly<Record<string, unknown>>
): ReadonlyMap<OperationDefinitionNode, QueryCost.QueryCost> => {
  const { Kind } = library
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet]] : []
    )
  )
  const defaults = defaultsOf(Kind, document)
  // Measures each fragment once, because a chain of fragments can be used exponentially often. A fragment in itself
  // counts as empty; the validation reports it.
  const known = new Map<string, Extent>()
  const measure = (selections: SelectionSetNode | undefined): Extent => {
    const extent = (selections?.selections ?? []).map(measureOne).reduce(
      (sum, one) => ({
        depth: Math.max(sum.depth, one.depth),
        width: sum.width + one.width,
        fields: sum.fields + one.fields,
        cost: QueryCost.add(sum.cost, one.cost)
      }),
      none
    )
    if (extent.width > MAX_SELECTED_FIELDS)
      throw exceeded(library, `The query has more than ${MAX_SELECTED_FIELDS} fields in a selection`, {
        nodes: selections ?? null
      })
    return extent
  }
  const measureOne = (selection: SelectionSetNode["selections"][number]): Extent => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet)
    if (selection.kind === Kind.FIELD) return measureField(selection)
    const name = selection.name.value
    const extent = known.get(name)
    if (extent !== undefined) return extent
    known.set(name, none)
    const measured = measure(fragments.get(name))
    known.set(name, measured)
    return measured
  }
  const measureField = (field: FieldNode): Extent => {
    const { cost, depth, fields } = measure(field.selectionSet)
    const name = field.name.value
    const size = lists.has(name) ? sizeOf(field) : undefined
    const ofSchema = schemaLists.get(name)
    const items =
      ofSchema ?? (size === undefined ? idsOf(field) : Math.max(1, Math.min(size, shortLists.get(name) ?? MAX_ITEMS)))
    // The items of the schema are objects, which count themselves: a document can ask for many lists of single fields.
    const perItem = ofSchema === undefined ? fields : fields + 1
    return {
      depth: depth + 1,
      width: 1,
      fields: items === undefined ? 1 + fields : LIST_COST + items * perItem,
      cost: size === undefined ? cost : QueryCost.connection(size, cost)
    }
  }
  const valueOf = (name: string) => variables[name] ?? defaults.get(name)
  /** Returns the largest number of items that a page can have. */
  const sizeOf = ({ arguments: given = [] }: FieldNode): number => {
    const sizes = given.flatMap(({ name, value }) => {
      if (name.value !== "first" && name.value !== "last") return []
      if (value.kind === Kind.INT) return [Number(value.value)]
      const size = value.kind === Kind.VARIABLE ? valueOf(value.name.value) : undefined
      return [typeof size === "number" ? size : MAX_ITEMS]
    })
    return Math.max(0, Math.min(MAX_ITEMS, ...sizes))
  }
  /** Returns the number of ids of the field `nodes`. Undefined for a field without ids. */
  const idsOf = ({ arguments: given = [] }: FieldNode): number | undefined => {
    const ids = given.find(({ name }) => name.value === "ids")?.value
    if (ids === undefined) return undefined
    const values = ids.kind === Kind.VARIABLE ? variables[ids.name.value] : undefined
    const count = ids.kind === Kind.LIST ? ids.values.length : Array.isArray(values) ? values.length : 1
    return Math.min(MAX_ITEMS, count)
  }
  const check = (operation: OperationDefinitionNode): QueryCost.QueryCost => {
    const root = operation.selectionSet
    const fail = (message: string, type?: string) => exceeded(library, message, { nodes: operation }, type)
    if (root.selections.length > MAX_ROOT_FIELDS)
      throw fail(`The query has more than ${MAX_ROOT_FIELDS} fields at its root`)
    const { cost, depth, fields } = measure(root)
    if (depth > MAX_DEPTH) throw fail(`The query is nested more than ${MAX_DEPTH} levels deep`)
    if (cost.nodes > QueryCost.MAX_NODES) {
      const [requested, limit] = [cost.nodes, QueryCost.MAX_NODES].map((count) => count.toLocaleString("en-US"))
      throw fail(
        `This query requests up to ${requested} possible nodes which exceeds the maximum limit of ${limit}.`,
        "MAX_NODE_LIMIT_EXCEEDED"
      )
    }
    if (fields > MAX_RESULT_FIELDS)
      throw fail(`The result could have more than ${MAX_RESULT_FIELDS} fields. Ask for fewer lists in lists`)
    return cost
  }
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION
  )
  return new Map(operations.map((one) => [one, check(one)]))
}

/** Returns the largest default of each variable with a number. */
const defaultsOf = (Kind: Library["Kind"], document: DocumentNode): ReadonlyMap<string, number> => {
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION
  )
  const defaults = new Map<string, number>()
  for (const { defaultValue, variable } of operations.flatMap(({ variableDefinitions = [] }) => variableDefinitions)) {
    if (defaultValue?.kind !== Kind.INT) continue
    const name = variable.name.value
    defaults.set(name, Math.max(defaults.get(name) ?? 0, Number(defaultValue.value)))
  }
  return defaults
}
