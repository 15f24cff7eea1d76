/** Parses, checks and executes GraphQL documents, with limits. Loads the library on first use. */
import type * as GraphQlLibrary from "graphql"
import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode, ValidationRule } from "graphql"
import * as QueryCost from "@tongs/core/limits/QueryCost"
import { LruCache } from "../../base/LruCache.ts"
import { QueryError } from "./QueryError.ts"
import * as QueryLimits from "./QueryLimits.ts"
import * as Schema from "./Schema.ts"
import * as ValidationError from "./ValidationError.ts"

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

/** A valid document whose operation is not executed yet. */
export interface Prepared {
  readonly _tag: "Prepared"
  /** Points of the operation. */
  readonly cost: number
  /** Points that count towards the rate limits: one if the query only asks for its cost. */
  readonly charged: number
  /** Nodes of the operation if all connections are full. */
  readonly nodeCount: number
  readonly isMutation: boolean
  /** Executes the operation. `root` has a function for each field of `Query` and `Mutation`. */
  readonly execute: (root: object) => Promise<Result>
}

/** A document that is not executed, because it is invalid or above a limit. */
export interface Refused {
  readonly _tag: "Refused"
  readonly result: Result
}

type Library = typeof GraphQlLibrary

/** Maximum errors of the variables. Each error prints a value. */
const MAX_VARIABLE_ERRORS = 5

/** Maximum characters of a message, which can quote the document and its variables, and of its beginning and end. */
const MAX_MESSAGE = 1000
const MESSAGE_PART = MAX_MESSAGE / 2

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MESSAGE_PART)}…${text.slice(-MESSAGE_PART)}` : text

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
  // A test validates the schema, which takes as long as the rest.
  const schema = library.buildSchema(Schema.definition, { assumeValid: true, assumeValidSDL: true, noLocation: true })
  return { library, schema, lists: listsOf(library, schema), rules: rulesOf(library) }
}

let loaded: ReturnType<typeof loadNow> | undefined

const load = () => (loaded ??= loadNow())

/** True for an error of the library, in any copy of it. */
const isOfLibrary = (error: Error): error is GraphQLError => error.name === "GraphQLError"

/** True for the error of a variable or an argument. The library's errors of values from resolvers have no nodes. */
const isOfInput = (error: GraphQLError, original: Error) =>
  isOfLibrary(original) && (error.path === undefined || original.nodes !== undefined)

/** Returns the error of a response. Throws the defects of resolvers. */
const describe = (error: GraphQLError) => {
  const { locations, message, originalError = null, path } = error
  if (originalError !== null && !(originalError instanceof QueryError) && !isOfInput(error, originalError)) {
    throw originalError
  }
  const isArgument = originalError !== null && isOfLibrary(originalError) && path !== undefined
  return {
    ...(originalError instanceof QueryError ? { type: originalError.type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(isArgument ? { extensions: { code: "argumentLiteralsIncompatible" } } : {}),
    ...(locations === undefined ? {} : { locations }),
    message: shortened(message)
  }
}

const describeInvalid = ({ Kind }: Library, error: GraphQLError, document: DocumentNode) => ({
  ...describe(error),
  ...(error.message === UNCHECKED
    ? { message: TOO_COMPLEX, extensions: { code: "tooComplex" } }
    : ValidationError.describe(Kind, shortened(error.message), error, document))
})

/** Maximum characters of the valid documents in memory, whose syntax trees are about a hundred times as large. */
const MAX_CACHED = 100_000

/** Valid documents by their texts. Clients repeat documents with other variables. */
const documents = new LruCache<DocumentNode>(MAX_CACHED)

/** Compares the places of two errors of fields: in the document, then in lists. */
const compareErrors = (one: GraphQLError, other: GraphQLError): number => {
  if (one.path === undefined || other.path === undefined) return 0
  const [[place], [otherPlace]] = [one.locations ?? [], other.locations ?? []]
  const inDocument = (place?.line ?? 0) - (otherPlace?.line ?? 0) || (place?.column ?? 0) - (otherPlace?.column ?? 0)
  if (inDocument !== 0) return inDocument
  for (const [index, key] of one.path.entries()) {
    const difference = Number(key) - Number(other.path[index])
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return 0
}

/** Returns the operation with a name, or the only one. */
const operationOf = ({ Kind }: Library, { definitions }: DocumentNode, name: string | undefined) => {
  const operations = definitions.filter((one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION)
  return name === undefined ? operations[0] : operations.find((one) => one.name?.value === name)
}

/** Returns the document with only the fields `rateLimit`, if one of them asks for the cost alone. Otherwise undefined. */
const withoutOtherFields = (
  { Kind }: Library,
  document: DocumentNode,
  operation: OperationDefinitionNode | undefined,
  variables: Request["variables"]
): DocumentNode | undefined => {
  const own = (operation?.selectionSet.selections ?? []).filter(
    (one) => one.kind === Kind.FIELD && one.name.value === "rateLimit"
  )
  const isDry = own.some(
    (one) =>
      one.kind === Kind.FIELD &&
      one.arguments?.some(
        ({ name, value }) =>
          name.value === "dryRun" &&
          ((value.kind === Kind.BOOLEAN && value.value) ||
            (value.kind === Kind.VARIABLE && variables?.[value.name.value] === true))
      )
  )
  if (!isDry || operation === undefined) return undefined
  const only = { ...operation, selectionSet: { ...operation.selectionSet, selections: own } }
  return { ...document, definitions: document.definitions.map((one) => (one === operation ? only : one)) }
}

/**
 * Parses and checks a document. Its execution fails only with a defect; the mutations of a document run one after the
 * other.
 */
export const prepare = async ({ operationName, query, variables }: Request): Promise<Prepared | Refused> => {
  const { library, lists, rules, schema } = await load()
  try {
    const known = documents.get(query)
    if (known === undefined) QueryLimits.checkSource(library, query)
    QueryLimits.checkVariables(library, variables ?? {})
    const document = known ?? library.parse(query)
    const costs = QueryLimits.checkDocument(library, document, lists, variables ?? {})
    if (known === undefined) {
      const problems = library.validate(schema, document, rules)
      if (problems.length > 0) {
        return { _tag: "Refused", result: { errors: problems.map((one) => describeInvalid(library, one, document)) } }
      }
      documents.set(query, document, query.length)
    }
    const operation = operationOf(library, document, operationName)
    const found = (operation && costs.get(operation)) ?? QueryCost.none
    const cost = QueryCost.pointsOf(found)
    const dry = withoutOtherFields(library, document, operation, variables)
    const execute = async (root: object): Promise<Result> => {
      const { data, errors } = await library.execute({
        schema,
        document: dry ?? document,
        rootValue: root,
        variableValues: variables,
        operationName,
        typeResolver,
        options: { maxCoercionErrors: MAX_VARIABLE_ERRORS }
      })
      return {
        ...(data === undefined ? {} : { data }),
        // The order in which resolvers fail would show which of them found a row.
        ...(errors === undefined ? {} : { errors: errors.toSorted(compareErrors).map(describe) })
      }
    }
    return {
      _tag: "Prepared",
      cost,
      charged: dry === undefined ? cost : 1,
      nodeCount: found.nodes,
      isMutation: operation?.operation === library.OperationTypeNode.MUTATION,
      execute
    }
  } catch (error) {
    if (error instanceof library.GraphQLError) return { _tag: "Refused", result: { errors: [describe(error)] } }
    throw error
  }
}

/** Resolves the type by `__typename`, which each object of an interface or a union has. */
const typeResolver = (value: unknown): string =>
  typeof value === "object" && value !== null && "__typename" in value ? String(value.__typename) : ""
