/**
 * Finds references to issues, commits and accounts in plain text, with GitHub's syntax and word boundaries. Whether a
 * reference has a target is not known here.
 */

/** A repository by owner and name. Without a name, the owner's repository with the same name as the text's repository. */
export interface RepositoryName {
  readonly owner: string
  readonly name: string | undefined
}

/** A reference to an issue or a pull request. */
export interface IssueReference {
  readonly _tag: "Issue"
  /** Undefined for the repository of the text. */
  readonly repository: RepositoryName | undefined
  readonly number: number
  /** True after a closing keyword, for example in `Fixes #12`. */
  readonly isClosing: boolean
  /** Origin and fragment of a URL, for example `#issuecomment-34`. Undefined for short references such as `#12`. */
  readonly url: { readonly origin: string; readonly fragment: string } | undefined
}

/** A reference to a commit by at least seven digits of the id. */
export interface CommitReference {
  readonly _tag: "Commit"
  readonly repository: RepositoryName | undefined
  readonly id: string
  readonly url: { readonly origin: string } | undefined
}

export type TextReference =
  | IssueReference
  | CommitReference
  | { readonly _tag: "User"; readonly login: string }
  | { readonly _tag: "Team"; readonly organization: string; readonly slug: string }

/** A reference at an offset of the text, in UTF-16 units. `end` is exclusive. */
export interface Occurrence {
  readonly start: number
  readonly end: number
  readonly reference: TextReference
}

/** Maximum number of references in a text. More remain plain text. */
export const MAX_REFERENCES = 1000

const LOGIN = "[A-Za-z0-9][\\w-]{0,38}"
const NAME = "[\\w.-]{1,100}"
const NUMBER = "[1-9]\\d{0,8}"
const COMMIT = "[0-9a-f]{7,40}"

/** Not inside a word, a path or an e-mail address. */
const COMMIT_END = "(?![\\w@/-])(?!\\.\\w)"

/** Every part is bounded or cannot match again from a later start, so that a search takes linear time. */
const pattern = new RegExp(
  [
    "(?<url>\\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\\s<>\"'`]+)",
    `(?<!\\w)@(?<account>${LOGIN})(?:/(?<team>[A-Za-z0-9][\\w-]{0,99}))?(?![\\w/-]|\\.+\\w)`,
    `(?<![\\w./@#-])(?<owner>${LOGIN})(?:/(?<name>${NAME})#(?<number>${NUMBER})(?!\\w)|(?:/(?<commitName>${NAME}))?@(?<commit>${COMMIT})${COMMIT_END})`,
    `(?:(?<![\\w&/#])#|(?<![\\w&/#-])[Gg][Hh]-)(?<ownNumber>${NUMBER})(?!\\w)`,
    `(?<![\\w/@#&=-])(?<!\\w\\.)(?<ownCommit>${COMMIT})${COMMIT_END}`
  ].join("|"),
  "g"
)

/** Maximum length of a closing keyword with the white space before the reference, in characters. */
const MAX_KEYWORD = 24

const endsWithKeyword = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s{1,10}$/i

/**
 * Finds references in plain text, sorted by offset. `before` is text in front of it that can end with a closing keyword.
 * Skips URLs, except those of issues, pull requests and commits.
 */
export const find = (text: string, before = "", limit = MAX_REFERENCES): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  if (limit <= 0) return found
  for (const { 0: match, groups = {}, index } of text.matchAll(pattern)) {
    const leading = () => (before + text.slice(Math.max(0, index - MAX_KEYWORD), index)).slice(-MAX_KEYWORD)
    const url = groups["url"]?.replace(/[.,:;!?)\]}*_~]{1,100}$/, "")
    const reference = url === undefined ? ofMatch(groups, leading) : ofUrl(url, leading())
    if (reference === undefined) continue
    found.push({ start: index, end: index + (url ?? match).length, reference })
    if (found.length === limit) break
  }
  return found
}

const ofMatch = (
  { account, commit, commitName, name, number, owner, ownCommit, ownNumber, team }: Readonly<Record<string, string>>,
  leading: () => string
): TextReference => {
  if (account !== undefined)
    return team === undefined ? { _tag: "User", login: account } : { _tag: "Team", organization: account, slug: team }
  const id = commit ?? ownCommit
  const repository = owner === undefined ? undefined : { owner, name: name ?? commitName }
  if (id !== undefined) return { _tag: "Commit", repository, id, url: undefined }
  const isClosing = endsWithKeyword.test(leading())
  return { _tag: "Issue", repository, number: Number(number ?? ownNumber), isClosing, url: undefined }
}

const urlPattern = new RegExp(
  `^(?<origin>https?://[^/?#]{1,300})/(?<owner>${LOGIN})/(?<name>${NAME})/` +
    `(?:(?:issues|pull)/(?<number>${NUMBER})(?<fragment>#(?:issuecomment-|discussion_r|issue-)\\d{1,15})?|commit/(?<commit>${COMMIT}))$`
)

/** The reference that the URL of an issue, a pull request, a comment or a commit is. The origin can be any website. */
export const ofUrl = (url: string, before = ""): TextReference | undefined => {
  const { commit, fragment = "", name, number, origin, owner } = urlPattern.exec(url)?.groups ?? {}
  if (origin === undefined || owner === undefined || name === undefined) return undefined
  const repository = { owner, name }
  if (commit !== undefined) return { _tag: "Commit", repository, id: commit, url: { origin } }
  const isClosing = endsWithKeyword.test(before)
  return { _tag: "Issue", repository, number: Number(number), isClosing, url: { origin, fragment } }
}
