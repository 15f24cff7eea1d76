/** Parses, checks and executes GraphQL queries, with limits. Loads the library on first use. */
import type { ASTVisitor, ValidationContext } from "graphql"
import * as Schema from "./Schema.ts"

/** Maximum tokens and nested fields of a query, and maximum fields of the result's root and of the whole result. */
const MAX_TOKENS = 3000
const MAX_DEPTH = 16
const MAX_ROOT_FIELDS = 20
const MAX_RESULT_FIELDS = 100_000

/** Fields with lists, the maximum items of a list, and the cost of one list in fields. */
const lists: ReadonlySet<string> = new Set(["languages", "organizations", "repositories", "repositoryTopics"])
const MAX_ITEMS = 100
const LIST_COST = 20

/** An error that becomes one of the response, with GitHub's `type`. */
export class QueryError extends Error {
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** A GraphQL request. */
export interface Request {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
}

/** The body of a response: `data`, `errors` or both. */
export interface Result {
  readonly data?: unknown
  readonly errors?: ReadonlyArray<object>
}

const loadNow = async () => {
  const library = await import("graphql")
  return { library, schema: library.buildSchema(Schema.DEFINITION) }
}

let loaded: ReturnType<typeof loadNow> | undefined

const load = () => (loaded ??= loadNow())

/** Executes a query. `root` has a function for each field of `Query`. Fails only with a defect. */
export const execute = async ({ operationName, query, variables }: Request, root: object): Promise<Result> => {
  const { library, schema } = await load()
  const { GraphQLError, Kind } = library
  const describe = (error: InstanceType<typeof GraphQLError>) => {
    const { originalError } = error
    if (originalError !== undefined && originalError !== null && !(originalError instanceof QueryError))
      throw originalError
    const { locations, message, path } = error
    const type = originalError instanceof QueryError ? { type: originalError.type } : {}
    return {
      ...type,
      ...(path === undefined ? {} : { path }),
      ...(locations === undefined ? {} : { locations }),
      message
    }
  }

  const limits = (context: ValidationContext): ASTVisitor => {
    // Measures each fragment once, because a chain of fragments can be used exponentially often. Another rule reports
    // cycles.
    const known = new Map<string, Extent>()
    const measure = (selections: SelectionSet | undefined): Extent =>
      (selections?.selections ?? [])
        .map(measureOne)
        .reduce((sum, { depth, fields }) => ({ depth: Math.max(sum.depth, depth), fields: sum.fields + fields }), none)
    const measureOne = (selection: SelectionSet["selections"][number]): Extent => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const extent = known.get(name) ?? measure(context.getFragment(name)?.selectionSet)
        known.set(name, extent)
        return extent
      }
      const { depth, fields } = measure(selection.selectionSet)
      if (selection.kind === Kind.INLINE_FRAGMENT) return { depth, fields }
      const own = lists.has(selection.name.value) ? LIST_COST + MAX_ITEMS * fields : 1 + fields
      return { depth: depth + 1, fields: own }
    }
    return {
      OperationDefinition: (node) => {
        const { depth, fields } = measure(node.selectionSet)
        const problem =
          node.selectionSet.selections.length > MAX_ROOT_FIELDS
            ? `The query has more than ${MAX_ROOT_FIELDS} fields at its root`
            : depth > MAX_DEPTH
              ? `The query is nested more than ${MAX_DEPTH} levels deep`
              : fields > MAX_RESULT_FIELDS
                ? `The result could have more than ${MAX_RESULT_FIELDS} fields. Ask for fewer lists in lists`
                : undefined
        if (problem !== undefined) context.reportError(new GraphQLError(problem, { nodes: node }))
      }
    }
  }

  try {
    const document = library.parse(query, { maxTokens: MAX_TOKENS })
    const problems = library.validate(schema, document, [...library.specifiedRules])
    const found = problems.length > 0 ? problems : library.validate(schema, document, [limits])
    if (found.length > 0) return { errors: found.map(describe) }
    const given = { schema, document, rootValue: root, variableValues: variables, operationName, typeResolver }
    const { data, errors } = await library.execute(given)
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(describe) })
    }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [describe(error)] }
    throw error
  }
}

/** Nested fields of a selection, and fields of the result if all lists are full. */
interface Extent {
  readonly depth: number
  readonly fields: number
}

const none: Extent = { depth: 0, fields: 0 }

type SelectionSet = NonNullable<ReturnType<ValidationContext["getFragment"]>>["selectionSet"]

/** Resolves the type by `__typename`, which each account has. */
const typeResolver = (value: unknown): string =>
  typeof value === "object" && value !== null && "__typename" in value ? String(value.__typename) : ""
