/** Which endpoint a raw route is: a forge counts points by endpoint, however a client spells its path. */
import { type Dialect, pathOf } from "../contract/Dialect.ts"
import { groups, ofGroup } from "../contract/Entry.ts"

interface Known {
  readonly route: string
  /** The first is the method. */
  readonly segments: ReadonlyArray<string>
  /** Whether its last parameter may hold slashes. */
  readonly isOpen: boolean
  /** Segments that are no parameters: of two routes that match, the one with more of them is meant. */
  readonly literals: number
}

/** Raw routes that are remembered; with more, all are looked up anew. */
const MAX_REMEMBERED = 1_000

const remembered = new Map<string, string>()
let table: ReadonlyArray<Known> | undefined

/** The route as the contract has it, as `GET /repos/:owner/:repo`; a route that it lacks as it is. */
export const of = (route: string): string => {
  if (route.includes("/:")) return route
  const before = remembered.get(route)
  if (before !== undefined) return before
  const found = find(route)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(route, found)
  return found
}

const find = (route: string): string => {
  const segments = route.split("/")
  const first = (table ??= read())
    .filter((known) => matches(known, segments))
    .reduce<Known | undefined>(
      (best, known) => (best === undefined || known.literals > best.literals ? known : best),
      undefined
    )
  return first?.route ?? route
}

const matches = ({ isOpen, segments }: Known, asked: ReadonlyArray<string>) =>
  (isOpen ? asked.length >= segments.length : asked.length === segments.length) &&
  segments.every((segment, index) => segment.startsWith(":") || segment === asked[index])

const read = () =>
  groups.flatMap(ofGroup).flatMap((entry) => {
    const { endpoint, operation } = entry
    const paths = new Set(dialects.map((dialect) => pathOf(dialect, entry)))
    return [...paths].map((path) => {
      const segments = `${endpoint.method} ${path}`.split("/")
      return {
        route: `${endpoint.method} ${endpoint.path}`,
        segments,
        isOpen: operation.rest !== false,
        literals: segments.filter((segment) => !segment.startsWith(":")).length
      }
    })
  })

const dialects: ReadonlyArray<Dialect> = ["service", "github"]
