/** Parses the targets in the query of a list of rulesets. */
export const targetsOf = (text = ""): ReadonlyArray<string> => {
  const named = text.split(",").map((target) => target.trim())
  return [...new Set(named.filter((target) => target !== ""))]
}
