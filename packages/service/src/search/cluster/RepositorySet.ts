/** Sets of repositories, which a process names to others by a digest instead of thousands of ids. */
import { createHash } from "node:crypto"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** The repositories of a search. */
export interface RepositorySet {
  /** Ids of the rows, in the order of the search. */
  readonly ids: ReadonlyArray<number>
  readonly digest: string
  readonly repositories: ReadonlyArray<ServedRepository>
  /** Index of each repository by its id. */
  readonly places: ReadonlyMap<number, number>
}

const sets = new WeakMap<ReadonlyArray<ServedRepository>, RepositorySet>()

/** Returns the set of an array: the same object for the same array. */
export const of = (repositories: ReadonlyArray<ServedRepository>): RepositorySet => {
  const known = sets.get(repositories)
  if (known !== undefined) return known
  const ids = repositories.map(({ row }) => row.id)
  const made = { ids, digest: digestOf(ids), repositories, places: new Map(ids.map((id, place) => [id, place])) }
  sets.set(repositories, made)
  return made
}

/** Returns the digest of ids, which depends on their order. */
export const digestOf = (ids: ReadonlyArray<number>): string =>
  createHash("sha256").update(ids.join(" ")).digest("base64url")

/** Prints the places for which `has` is true, with one bit for each place. */
export const printPlaces = (count: number, has: (place: number) => boolean): string => {
  const bytes = Buffer.alloc(Math.ceil(count / 8))
  for (let place = 0; place < count; place++) {
    if (has(place)) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7))
  }
  return bytes.toString("base64url")
}

/** Parses `printPlaces`. */
export const parsePlaces = (text: string): ((place: number) => boolean) => {
  const bytes = Buffer.from(text, "base64url")
  return (place) => ((bytes[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
}
