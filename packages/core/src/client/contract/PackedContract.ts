/**
 * The contract in a compact form of JSON, in which endpoints share shapes. The published package contains the JSON, so
 * that programs need neither the declarations of the contract nor the schema library.
 */
import type { EndpointDescription } from "../EndpointDescription.ts"
import { type Composite, mapParts, type Shape } from "../../contract/Shape.ts"

/** A reference to a shared shape, by index. No member of a shape has an empty name. */
interface Reference {
  readonly "": number
}

/** A shape, or a reference to a shared one. */
type PackedShape = Shape | Reference

const isReference = (value: object): value is Reference => "" in value

type ShapeName = "payload" | "query" | "success"

/** An endpoint whose shapes can be shared. */
type PackedEndpoint = Omit<EndpointDescription, ShapeName> & Partial<Readonly<Record<ShapeName, PackedShape>>>

/** The contract in a compact form. */
export interface PackedContract {
  /** Shared shapes. A shape refers to earlier ones. */
  readonly shapes: ReadonlyArray<Composite>
  readonly endpoints: ReadonlyArray<PackedEndpoint>
}

const shapeNames: ReadonlyArray<ShapeName> = ["payload", "query", "success"]

const mapShapes = (endpoint: PackedEndpoint, f: (shape: PackedShape) => PackedShape): PackedEndpoint => {
  const shapes = shapeNames.flatMap((name) => {
    const shape = endpoint[name]
    return shape === undefined ? [] : [[name, f(shape)] as const] // a pair
  })
  return { ...endpoint, ...Object.fromEntries(shapes) }
}

/** `mapParts` is generic in fact, because the function does not read the parts. */
const mapPacked = mapParts as (shape: Composite, f: (part: PackedShape) => PackedShape) => Composite // oxlint-disable-line typescript/no-unsafe-type-assertion -- see the comment

/** Packs endpoints. Objects that occur more than once are shared. */
export const pack = (endpoints: ReadonlyArray<EndpointDescription>): PackedContract => {
  const counts = new Map<string, number>()
  const count = (shape: PackedShape): PackedShape => {
    if (typeof shape !== "object" || isReference(shape)) return shape
    const text = JSON.stringify(shape)
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    return before === 0 ? mapPacked(shape, count) : shape
  }
  for (const endpoint of endpoints) mapShapes(endpoint, count)

  const shapes: Array<Composite> = []
  const references = new Map<string, Reference>()
  const share = (shape: PackedShape): PackedShape => {
    if (typeof shape !== "object" || isReference(shape)) return shape
    const text = JSON.stringify(shape)
    const known = references.get(text)
    if (known !== undefined) return known
    const packed = mapPacked(shape, share)
    if (counts.get(text) === 1 || text.length < MIN_SHARED) return packed
    const reference = { "": shapes.push(packed) - 1 }
    references.set(text, reference)
    return reference
  }
  return { endpoints: endpoints.map((endpoint) => mapShapes(endpoint, share)), shapes }
}

/** Minimum length of a shared shape: a reference and a comma are not much shorter than a small shape. */
const MIN_SHARED = 40

/** Restores the endpoints. Does not use `Shape.ts`, so that bundlers put this function into the part that loads later. */
export const unpack = ({ endpoints, shapes }: PackedContract): ReadonlyArray<EndpointDescription> => {
  const restored: Array<unknown> = []
  const restore = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(restore)
    if (isReference(value)) return restored[value[""]]
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, restore(part)]))
  }
  for (const shape of shapes) restored.push(restore(shape))
  return restore(endpoints) as ReadonlyArray<EndpointDescription> // oxlint-disable-line typescript/no-unsafe-type-assertion -- no reference is left
}
