/** Selections of all fields of a type, so that a test sees everything that GraphQL shows of an object. */
import * as GraphQl from "graphql"
import { schema } from "./RandomDocuments.test-support.ts"

/** Values of required arguments by name, in GraphQL's syntax. */
const values: Readonly<Record<string, string>> = {
  number: "1",
  qualifiedName: '"main"',
  tagName: '"v1"',
  name: '"bug"',
  headRef: '"side"',
  expression: '"main"',
  first: "10"
}

const argumentsOf = ({ args }: GraphQl.GraphQLField<unknown, unknown>): string | undefined => {
  const given = args.filter(
    ({ name, type }) => name === "first" || name === "expression" || GraphQl.isNonNullType(type)
  )
  if (given.some(({ name }) => values[name] === undefined)) return undefined
  return given.length === 0 ? "" : `(${given.map(({ name }) => `${name}: ${values[name]}`).join(", ")})`
}

/** Selects all fields of a type, and of the types within `depth` fields. */
export const selectionOf = (type: GraphQl.GraphQLCompositeType, depth: number): string => {
  const fields = GraphQl.isUnionType(type) ? [] : Object.values(type.getFields())
  const selected = fields.flatMap((field) => {
    const given = argumentsOf(field)
    const named = GraphQl.getNamedType(field.type)
    if (given === undefined || (GraphQl.isCompositeType(named) && depth === 0)) return []
    // Pages are no level of their own.
    const isPage = named.name.endsWith("Connection") || named.name.endsWith("Edge")
    return [
      `${field.name}${given}${GraphQl.isCompositeType(named) ? ` ${selectionOf(named, isPage ? depth : depth - 1)}` : ""}`
    ]
  })
  const possible = GraphQl.isAbstractType(type) && depth > 0 ? schema.getPossibleTypes(type) : []
  const fragments = possible.map((one) => `... on ${one.name} ${selectionOf(one, depth - 1)}`)
  return `{ ${["__typename", ...selected, ...fragments].join(" ")} }`
}

/** Selects all fields of the nodes with some ids, which are of one type. */
export const nodesOf = (typeName: string, depth: number): string => {
  const type = schema.getType(typeName)
  const selection = GraphQl.isCompositeType(type) ? `... on ${typeName} ${selectionOf(type, depth)}` : ""
  return `query($ids: [ID!]!) { nodes(ids: $ids) { id ${selection} } }`
}

/** The types of nodes of the schema. */
export const nodeTypes: ReadonlyArray<string> = (() => {
  const node = schema.getType("Node")
  return GraphQl.isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : []
})()

/** The required members of the input of each mutation. */
export const mutations: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ args, name }) => {
    const input = args[0] === undefined ? undefined : GraphQl.getNamedType(args[0].type)
    const members = GraphQl.isInputObjectType(input) ? Object.values(input.getFields()) : []
    return [name, members.filter(GraphQl.isRequiredInputField).map((member) => member.name)]
  })
)
