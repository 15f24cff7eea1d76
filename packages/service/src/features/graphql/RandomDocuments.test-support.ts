/** Random GraphQL requests from the schema, like an attacker's: mostly valid, with values that exist or are wrong. */
import * as GraphQl from "graphql"
import * as NodeId from "../../api/NodeId.ts"
import { random } from "../../reviews/PushHistory.test-support.ts"
import * as Schema from "./Schema.ts"

export interface RandomRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly isMutation: boolean
}

export const schema = GraphQl.buildSchema(Schema.definition)

/** Types of nodes whose ids are numbers, and the largest of those ids. */
const nodeTypes = [
  "User",
  "Organization",
  "Bot",
  "Repository",
  "Issue",
  "PullRequest",
  "IssueComment",
  "CheckRun",
  "CheckSuite",
  "Workflow",
  "WorkflowRun",
  "Milestone",
  "Release",
  "PullRequestReview",
  "PullRequestReviewComment",
  "PullRequestReviewThread",
  "Label",
  "LinkedBranch",
  "Team",
  "App",
  "Reaction",
  "IssueType"
] as const satisfies ReadonlyArray<NodeId.NodeType> // literal types
const MAX_ID = 24

/** Texts that existing rows have, by the name of the argument. */
const texts: Readonly<Record<string, ReadonlyArray<string>>> = {
  owner: ["harbor", "olive", "HARBOR", "pier"],
  name: ["hello", "own", "secret", "empty", "bug", "main", "ci"],
  login: ["olive", "piers", "harbor", "nell", "finn", "pier", "buoy[bot]"],
  qualifiedName: ["main", "refs/heads/main", "refs/tags/v1", "v1", "refs/heads/clash"],
  expression: ["main", "HEAD", "main:README.md", "main:src", "v1", "main~1", "HEAD:", "nothing"],
  headRef: ["main", "clash", "refs/heads/side", "olive:main"],
  query: [
    "is:open",
    "repo:harbor/hello is:pr",
    "author:olive",
    "label:bug sort:created-asc",
    "hello",
    "user:harbor",
    "is:merged",
    "("
  ],
  path: ["README.md", "src", "src/greet.ts", "..", ""],
  tagName: ["v1", "light", "v2"],
  body: ["Hello @piers, see #1", ""],
  title: ["Hello", ""],
  color: ["00ff00", "zz"],
  baseRefName: ["main", "side"],
  headRefName: ["greet-danish", "clash", "olive:main"],
  since: ["2026-01-02T03:04:05Z", "yesterday"],
  after: [Buffer.from("cursor:v1:0").toString("base64"), "x"],
  before: [Buffer.from("cursor:v1:3").toString("base64"), ""],
  assignee: ["*", "olive"],
  milestoneNumber: ["1", "*", "x"]
}
const vile = ["", "..", "\u0000", "'", '"', "\\", "__proto__", "constructor", "é", "a".repeat(300), "{", "$x", "\n"]

/** Maximum nested selections of a field, and fields of a document. */
const MAX_DEPTH = 7
const MAX_FIELDS = 60

/** Shares of documents with wrong values, of such values, of arguments in variables, and of damaged documents. */
const MISTAKEN = 0.2
const WRONG = 0.1
const VARIABLE = 0.2
const DAMAGED = 0.1
const PRECISION = 10_000

const isRequired = ({ defaultValue, type }: GraphQl.GraphQLArgument | GraphQl.GraphQLInputField) =>
  GraphQl.isNonNullType(type) && defaultValue === undefined

/** Prints a value of JSON in GraphQL's syntax. An enum value is an object of `enumValue`. */
class EnumValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  /** The value in the variables of a request. */
  toJSON(): string {
    return this.name
  }
}

const print = (value: unknown): string => {
  if (value instanceof EnumValue) return value.name
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([name, one]) => `${name}: ${print(one)}`)
      .join(", ")}}`
  return JSON.stringify(value) ?? "null"
}

/** Returns a random request of a seed. `oids` are ids of git objects. */
export const make = (seed: number, oids: ReadonlyArray<string>): RandomRequest => {
  const below = random(seed)
  const chance = (share: number) => below(PRECISION) < share * PRECISION
  const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)]

  const share = chance(MISTAKEN) ? WRONG : 0
  const variables: Record<string, unknown> = {}
  const declarations: Array<string> = []
  const fragments: Array<string> = []
  let fields = 0
  let names = 0

  const wrong = (): unknown =>
    pick([null, 1.5, "x", true, [], {}, -1, 2 ** 31, 2 ** 53, [null], { a: 1 }, new EnumValue("NOTHING"), ...vile])

  const scalar = (type: string, name: string): unknown => {
    switch (type) {
      case "Int":
        return name === "first" || name === "last"
          ? pick([0, 1, 2, 3, 5, 10, 30, 100, 101, -1])
          : pick([0, 1, 2, 3, 4, 6, 20, 100, -1, 2 ** 31 - 1])
      case "Boolean":
        return chance(0.5)
      case "Float":
        return below(PRECISION) / 3
      case "ID":
        return chance(0.1) ? pick(vile) : NodeId.nodeId(pick(nodeTypes) ?? "User", 1 + below(MAX_ID))
      case "GitObjectID":
        return chance(0.1) ? pick(vile) : pick(oids)
      default:
        return chance(0.1) ? pick(vile) : (pick(texts[name] ?? []) ?? pick(oids.concat(vile)))
    }
  }

  /** The types of the nodes that an argument names, by a part of its name. */
  const nodeOf = (name: string, nullable: string) => {
    const found = nodeTypes.filter((type) => name.toLowerCase().includes(type.toLowerCase()))
    const issues = /assignable|labelable|lockable|subject|issue/i.test(name) ? (["Issue", "PullRequest"] as const) : []
    const type = pick([...found, ...issues])
    return nullable === "ID" && type !== undefined && !chance(0.2) ? NodeId.nodeId(type, 1 + below(MAX_ID)) : undefined
  }

  const valueOf = (type: GraphQl.GraphQLInputType, name: string, depth = 0): unknown => {
    if (chance(share)) return wrong()
    const nullable = GraphQl.getNullableType(type)
    if (nullable === type && chance(0.05)) return null
    if (GraphQl.isListType(nullable))
      return Array.from({ length: below(4) }, () => valueOf(nullable.ofType, name.replace(/s$/, ""), depth))
    if (GraphQl.isEnumType(nullable)) return new EnumValue(pick(nullable.getValues())?.name ?? "")
    if (GraphQl.isInputObjectType(nullable)) {
      const members = Object.values(nullable.getFields()).filter(
        (one) => isRequired(one) || chance(depth > 2 ? 0 : 0.3)
      )
      return Object.fromEntries(members.map((one) => [one.name, valueOf(one.type, one.name, depth + 1)]))
    }
    const named = String(nullable)
    return nodeOf(name, named) ?? scalar(named, name)
  }

  /** Prints the value of an argument, or a variable with the value. */
  const argument = ({ name, type }: GraphQl.GraphQLArgument): string => {
    const value = valueOf(type, name)
    if (!chance(VARIABLE)) return `${name}: ${print(value)}`
    const variable = `v${names++}`
    declarations.push(`$${variable}: ${chance(share) ? "String" : String(type)}`)
    if (!chance(share)) variables[variable] = value
    return `${name}: $${variable}`
  }

  const directive = (): string =>
    chance(0.05) ? (pick(share > 0 ? ["@skip(if: 1)", "@none"] : ["@include(if: true)", "@skip(if: true)"]) ?? "") : ""

  const field = (one: GraphQl.GraphQLField<unknown, unknown>, depth: number): string => {
    fields++
    const given = one.args
      .filter((arg) => isRequired(arg) || (arg.name === "first" ? chance(0.8) : chance(0.2)))
      .filter(() => !chance(share / 3))
      .map(argument)
    const named = GraphQl.getNamedType(one.type)
    const nested = GraphQl.isCompositeType(named) ? ` ${selection(named, depth + 1)}` : ""
    // Equal names with different arguments are a conflict.
    const alias = given.length > 0 || chance(0.1) ? `${chance(0.02) ? "__proto__" : `a${names++}`}: ` : ""
    const list = given.length === 0 ? "" : `(${given.join(", ")})`
    return `${alias}${one.name}${list} ${directive()}${nested}`
  }

  const selection = (type: GraphQl.GraphQLCompositeType, depth: number): string => {
    const selections = ["__typename"]
    const own = GraphQl.isUnionType(type) ? [] : Object.values(type.getFields())
    const count = depth === 0 ? 1 + below(3) : 1 + below(6)
    for (let index = 0; index < count; index++) {
      if (fields >= MAX_FIELDS) break
      const possible = GraphQl.isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
      const other = pick(possible)
      const isDeep = depth >= MAX_DEPTH
      if (other !== undefined && depth > 0 && chance(GraphQl.isAbstractType(type) ? 0.6 : 0.05) && !isDeep) {
        selections.push(`... on ${other.name} ${directive()} ${selection(other, depth + 1)}`)
      } else if (depth > 0 && chance(0.05) && !isDeep) {
        const name = `f${names++}`
        fragments.push(`fragment ${name} on ${type.name} ${selection(type, depth + 1)}`)
        selections.push(`...${name}`)
      } else {
        const usable = own.filter((one) => !isDeep || GraphQl.isLeafType(GraphQl.getNamedType(one.type)))
        // Connections and objects are rarer than texts and numbers.
        const composite = usable.filter((one) => GraphQl.isCompositeType(GraphQl.getNamedType(one.type)))
        const one = pick(composite.length > 0 && chance(0.5) ? composite : usable)
        if (one !== undefined) selections.push(field(one, depth))
      }
    }
    if (chance(share / 4)) selections.push("unknown")
    return `{ ${selections.join(" ")} }`
  }

  const introspection = () =>
    pick([
      "{ __schema { types { name fields { name args { name type { name ofType { name } } } } } } }",
      '{ __type(name: "PullRequest") { name kind fields(includeDeprecated: true) { name type { name } } } }',
      '{ __type(name: "Nothing") { name enumValues { name } } viewer { __typename } }',
      "{ __schema { queryType { name } mutationType { fields { name } } subscriptionType { name } } }"
    ]) ?? ""

  const isMutation = chance(0.2)
  const root = isMutation ? schema.getMutationType() : schema.getQueryType()
  const body = root === undefined || root === null || chance(0.02) ? introspection() : selection(root, 0)
  const declared = declarations.length === 0 ? "" : `(${declarations.join(", ")})`
  const head =
    body.startsWith("{ __schema") || body.startsWith("{ __type(") ? "query" : isMutation ? "mutation" : "query"
  const query = [`${head} Q${declared} ${body}`, ...fragments].join("\n")
  return { query: chance(DAMAGED) ? damage(query, below) : query, variables, isMutation }
}

/** Deletes, repeats or replaces a part of a text. */
const damage = (query: string, below: (count: number) => number): string => {
  const from = below(query.length)
  const to = Math.min(query.length, from + 1 + below(12))
  const part = query.slice(from, to)
  const other = ["", part + part, "{", "}", "(", '"', "...", "$", "@", "\u0000", "é", "name", "null", "9e9"]
  return query.slice(0, from) + (other[below(other.length)] ?? "") + query.slice(to)
}
