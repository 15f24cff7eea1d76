/** Semantic versions in the names of tags, for example `v1.2.0-rc.1`. */

const pattern = /^v?(\d{1,15})\.(\d{1,15})(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/

interface SemanticVersion {
  readonly numbers: ReadonlyArray<number>
  /** Identifiers of a prerelease. Empty for a release. */
  readonly prerelease: ReadonlyArray<string>
}

/** Parses the name of a tag. Undefined if the name is no version. */
const parse = (tag: string): SemanticVersion | undefined => {
  const [, major, minor, patch = "0", prerelease] = pattern.exec(tag) ?? []
  if (major === undefined || minor === undefined) return undefined
  return { numbers: [major, minor, patch].map(Number), prerelease: prerelease?.split(".") ?? [] }
}

/** Compares identifiers of prereleases: numbers are lower than words (Semantic Versioning 2.0.0, item 11). */
const compareIdentifiers = (one: string, other: string): number => {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return Number(one) - Number(other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares the versions of two tags, as for sorting. Undefined if a tag is no version. */
export const compare = (one: string, other: string): number | undefined => {
  const [a, b] = [parse(one), parse(other)]
  if (a === undefined || b === undefined) return undefined
  const byNumber = a.numbers.map((number, index) => number - (b.numbers[index] ?? 0)).find((part) => part !== 0)
  if (byNumber !== undefined) return byNumber
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (let at = 0; at < Math.min(a.prerelease.length, b.prerelease.length); at++) {
    const part = compareIdentifiers(a.prerelease[at] ?? "", b.prerelease[at] ?? "")
    if (part !== 0) return part
  }
  return a.prerelease.length - b.prerelease.length
}
