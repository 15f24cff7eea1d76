/** The cost of a GraphQL query in points, by GitHub's formula. Pure. */

/** Maximum nodes that a query may ask for. */
export const MAX_NODES = 500_000

/** Requests for one point. */
const REQUESTS_PER_POINT = 100

/** What a selection reads if all of its connections are full. */
export interface QueryCost {
  /** Reads of connections: one for each connection of each item of the lists around it. */
  readonly requests: number
  /** Items of the connections. */
  readonly nodes: number
}

/** The cost of a selection without connections. */
export const none: QueryCost = { requests: 0, nodes: 0 }

/** Returns the cost of two selections. */
export const add = (one: QueryCost, other: QueryCost): QueryCost => ({
  requests: one.requests + other.requests,
  nodes: one.nodes + other.nodes
})

/** Returns the cost of a connection with `size` items, each with the selection `item`. */
export const connection = (size: number, item: QueryCost): QueryCost => ({
  requests: 1 + size * item.requests,
  nodes: size + size * item.nodes
})

/** Returns the points that a query costs: at least one. */
export const pointsOf = ({ requests }: QueryCost): number => Math.max(1, Math.round(requests / REQUESTS_PER_POINT))
