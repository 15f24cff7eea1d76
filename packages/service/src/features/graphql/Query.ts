/** Parses, checks and executes GraphQL documents, with limits. Loads the library on first use. */
import type * as GraphQlLibrary from "graphql"
import type { GraphQLError, GraphQLSchema, ValidationRule } from "graphql"
import { QueryError } from "./QueryError.ts"
import * as QueryLimits from "./QueryLimits.ts"
import * as Schema from "./Schema.ts"
import * as ValidationErrors from "./ValidationErrors.ts"

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

type Library = typeof GraphQlLibrary

/** Maximum errors of the variables. Each error prints a value. */
const MAX_VARIABLE_ERRORS = 5

/** The library's message for a document whose fields it does not compare completely, and a clearer one. */
const UNCHECKED = "Validation aborted."
const TOO_COMPLEX = "The query is too complex to validate. Repeat fewer fields and fragments"

/** Returns the names of the fields that have pages. */
const listsOf = ({ isObjectType }: Library, schema: GraphQLSchema): ReadonlySet<string> =>
  new Set(
    Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()))
      .filter(({ args }) => args.some(({ name }) => name === "first"))
      .map(({ name }) => name)
  )

/**
 * Returns the rules of the specification. Fields of different types may have one name, as GitHub allows: `gh` asks for
 * `state` of an issue or a pull request.
 */
const rulesOf = ({ OverlappingFieldsCanBeMergedRule, specifiedRules }: Library): ReadonlyArray<ValidationRule> =>
  specifiedRules.map((rule) =>
    rule !== OverlappingFieldsCanBeMergedRule
      ? rule
      : (context) =>
          rule(
            Object.create(context, {
              reportError: {
                value: (error: GraphQLError) => {
                  if (!isOnlyOfTypes(error.message)) context.reportError(error)
                }
              }
            })
          )
  )

/** True for a conflict in which each reason is the type. */
const isOnlyOfTypes = (message: string) =>
  message.includes("they return conflicting types") && !/are different fields|they have differing/.test(message)

const loadNow = async () => {
  const library = await import("graphql")
  const schema = library.buildSchema(Schema.definition)
  return { library, schema, lists: listsOf(library, schema), rules: rulesOf(library) }
}

let loaded: ReturnType<typeof loadNow> | undefined

const load = () => (loaded ??= loadNow())

/**
 * Executes a document. `root` has a function for each field of `Query` and `Mutation`. Fails only with a defect. The
 * mutations of a document run one after the other.
 */
export const execute = async ({ operationName, query, variables }: Request, root: object): Promise<Result> => {
  const { library, lists, rules, schema } = await load()
  const { GraphQLError } = library
  const describe = (error: GraphQLError) => {
    const { originalError } = error
    if (originalError !== undefined && originalError !== null && !(originalError instanceof QueryError))
      throw originalError
    const { locations, path } = error
    const message = error.message === UNCHECKED ? TOO_COMPLEX : error.message
    const type = originalError instanceof QueryError ? { type: originalError.type } : {}
    return {
      ...type,
      ...(path === undefined ? {} : { path }),
      ...(locations === undefined ? {} : { locations }),
      message
    }
  }

  try {
    QueryLimits.checkSource(library, query)
    QueryLimits.checkVariables(library, variables ?? {})
    const document = library.parse(query)
    QueryLimits.checkDocument(library, document, lists, variables ?? {})
    const problems = library.validate(schema, document, rules)
    if (problems.length > 0) {
      return {
        errors: problems.map((one) => ({ ...describe(one), ...ValidationErrors.describe(library.Kind, one, document) }))
      }
    }
    const { data, errors } = await library.execute({
      schema,
      document,
      rootValue: root,
      variableValues: variables,
      operationName,
      typeResolver,
      options: { maxCoercionErrors: MAX_VARIABLE_ERRORS }
    })
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(describe) })
    }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [describe(error)] }
    throw error
  }
}

/** Resolves the type by `__typename`, which each object of an interface or a union has. */
const typeResolver = (value: unknown): string =>
  typeof value === "object" && value !== null && "__typename" in value ? String(value.__typename) : ""
