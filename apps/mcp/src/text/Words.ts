/** Words of names and questions, in one form for each meaning, so that `removing webhooks` finds `hooks delete`. */

/** Words with the same meaning. The first word of each line stands for the whole line. */
const synonyms = [
  "delete remove drop destroy erase",
  "create add new make open",
  "update change edit modify set patch replace rename configure make rotate",
  "list all every find enumerate",
  "get show read fetch view display see detail what",
  "hook webhook callback",
  "organization org",
  "repository repo",
  "configuration config setting option",
  "account user person login member owner",
  "authenticated me mine my your signed current i",
  "redeliver repeat retry resend replay again",
  "delivery attempt",
  "ref reference branch tag head",
  "compare diff difference between",
  "content file folder directory",
  "tree subtree",
  "blob object",
  "limit quota budget maximum",
  "retention expiry expire",
  "usage cost spending consumption",
  "block ban",
  "key ssh",
  "ruleset rule protection",
  "workflow action actions ci",
  "download fetch save",
  "definition define declared",
  "use usages usage reference caller",
  "blame annotate author",
  "history log change",
  "statistic stat stats count insight metric",
  "comment remark",
  "permission right policy",
  "search grep query",
  "outline symbol",
  "name symbol identifier function",
  "check whether if verify"
].map((line) => line.split(" "))

/** Words without a meaning for the search, such as articles. */
const empty = new Set(
  "a an the of for to in on at by with from is are do does am can how which that this it its and or please want need would like call tool operation".split(
    " "
  )
)

/** Splits a name or a sentence into words in lower case: `gitRefs.get` into `git`, `refs`, `get`. */
export const split = (text: string): ReadonlyArray<string> =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "")

/** Returns the stems of the words in a text, without articles and the like. */
export const stems = (text: string): ReadonlyArray<string> =>
  split(text)
    .filter((word) => !empty.has(word))
    .map(stem)

/** Removes the endings of a word: `deliveries` becomes `delivery`, `deleting` and `deleted` become `delet`. */
export const stem = (word: string): string => {
  const singular = word.length <= 3 ? word : word.replace(/ies$/, "y").replace(/([^s])s$/, "$1")
  return singular.length <= 4 ? singular : singular.replace(/(?:ing|ed|e)$/, "")
}

const meanings = new Map<string, Set<string>>()
for (const words of synonyms) {
  const all = words.map(stem)
  for (const word of all) meanings.set(word, new Set([...(meanings.get(word) ?? []), ...all]))
}

/** Returns whether two stems are synonyms. */
export const areSynonyms = (one: string, other: string): boolean => meanings.get(one)?.has(other) === true

/** Returns the number of inserted, removed, replaced and swapped characters between two words. */
export const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

/** Maximum number of characters of a word that is compared with other words. */
const MAX_WORD = 64

/**
 * Returns the names that resemble a text, most similar first: names that contain the text, and names with few typing
 * errors.
 */
export const nearest = (text: string, names: Iterable<string>, count = 3): ReadonlyArray<string> => {
  const wanted = text.slice(0, MAX_WORD).toLowerCase()
  return [...names]
    .map((name) => {
      const known = name.toLowerCase()
      const contains = wanted.length > 2 && (known.includes(wanted) || wanted.includes(known))
      if (contains) return { name, score: 1, isNear: true }
      const whole = distance(wanted, known)
      const part = Math.min(...split(name).map((word) => distance(wanted, word) + 1))
      const isNear = whole <= Math.max(1, Math.floor(known.length / 3)) || (wanted.length > 2 && part <= 2)
      return { name, score: Math.min(whole, part), isNear }
    })
    .filter(({ isNear }) => isNear)
    .toSorted((a, b) => a.score - b.score)
    .slice(0, count)
    .map(({ name }) => name)
}
