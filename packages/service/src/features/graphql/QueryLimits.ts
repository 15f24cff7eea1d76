/** Limits of queries: tokens, fields at the root, nested fields and fields of the result. */
import type * as GraphQlLibrary from "graphql"
import type { ASTVisitor, FieldNode, ValidationContext } from "graphql"

type Library = typeof GraphQlLibrary

/** Maximum tokens of a query. */
export const MAX_TOKENS = 20_000

/** Maximum nested fields of a query, and maximum fields of the result's root and of the whole result. */
const MAX_DEPTH = 24
const MAX_ROOT_FIELDS = 100
const MAX_RESULT_FIELDS = 500_000

/** Items of a list whose size the query does not give, and the cost of one list in fields. */
const MAX_ITEMS = 100
const LIST_COST = 20

/** Nested fields of a selection, and fields of the result if all lists are full. */
interface Extent {
  readonly depth: number
  readonly fields: number
}

const none: Extent = { depth: 0, fields: 0 }

type SelectionSet = NonNullable<ReturnType<ValidationContext["getFragment"]>>["selectionSet"]

/**
 * Creates the rule that measures operations. `lists` are the names of the fields with pages; `variables` are those of
 * the request, which can have the size of a page.
 */
export const rule =
  ({ GraphQLError, Kind }: Library, lists: ReadonlySet<string>, variables: Readonly<Record<string, unknown>>) =>
  (context: ValidationContext): ASTVisitor => {
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
      const own = lists.has(selection.name.value) ? LIST_COST + sizeOf(selection) * fields : 1 + fields
      return { depth: depth + 1, fields: own }
    }
    /** Returns the largest number of items that a list can have. */
    const sizeOf = ({ arguments: given = [] }: FieldNode): number => {
      const sizes = given.flatMap(({ name, value }) => {
        if (name.value !== "first" && name.value !== "last") return []
        if (value.kind === Kind.INT) return [Number(value.value)]
        const size = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
        return [typeof size === "number" ? size : MAX_ITEMS]
      })
      return sizes.length === 0 ? MAX_ITEMS : Math.max(1, Math.min(MAX_ITEMS, ...sizes))
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
