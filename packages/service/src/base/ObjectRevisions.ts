const revisions = new WeakMap<object, number>()
let last = 0

/** Returns a number that no other object has. */
export const revisionOf = (object: object): number => {
  const known = revisions.get(object)
  if (known !== undefined) return known
  revisions.set(object, ++last)
  return last
}
