/** The branches and tags of a repository, as groups of a menu. */
import type { Refs } from "../../ExplorerApi.ts"

export interface RefGroup {
  readonly value: "Branches" | "Tags"
  readonly items: ReadonlyArray<string>
}

/** Returns the groups that have names. A name equal to the input comes first, then the current branch. */
export const make = (refs: Refs, input: string, current?: string): ReadonlyArray<RefGroup> => {
  const typed = input.trim()
  const groups: ReadonlyArray<RefGroup> = [
    { value: "Branches", items: withFirst(typed, withFirst(current, refs.branches)) },
    { value: "Tags", items: withFirst(typed, refs.tags) }
  ]
  const hasTyped = ({ items }: RefGroup) => items.includes(typed)
  return groups.filter(({ items }) => items.length > 0).toSorted((a, b) => Number(hasTyped(b)) - Number(hasTyped(a)))
}

/** True if a name contains the input, in any case. */
export const isListed = (groups: ReadonlyArray<RefGroup>, input: string): boolean =>
  groups.some(({ items }) => items.some((item) => item.toLowerCase().includes(input.toLowerCase())))

const withFirst = (name: string | undefined, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  name !== undefined && names.includes(name) ? [name, ...names.filter((one) => one !== name)] : names
