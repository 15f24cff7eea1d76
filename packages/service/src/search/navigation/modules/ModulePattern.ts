/** Patterns of module names with at most one `*`, as in `paths` of TypeScript and `imports` of `package.json`. */

/** Returns the best pattern for a name: the same name, otherwise the pattern with the longest start. */
export const find = <A>(
  patterns: ReadonlyArray<readonly [pattern: string, value: A]>,
  name: string
): { readonly key: string; readonly value: A; readonly rest: string } | undefined => {
  let best: { readonly key: string; readonly value: A; readonly rest: string } | undefined
  let length = -1
  for (const [key, value] of patterns) {
    if (key === name) return { key, value, rest: "" }
    const star = key.indexOf("*")
    const end = key.slice(star + 1)
    if (star === -1 || star <= length || name.length < key.length - 1) continue
    if (!name.startsWith(key.slice(0, star)) || !name.endsWith(end)) continue
    best = { key, value, rest: name.slice(star, name.length - end.length) }
    length = star
  }
  return best
}

/** Replaces the `*` of a target. */
export const fill = (target: string, rest: string): string => target.replace("*", () => rest)
