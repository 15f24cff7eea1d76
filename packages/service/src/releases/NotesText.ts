/** The text of generated notes, in GitHub's format. */
import type { Exclusion, FoundConfig } from "./NotesConfig.ts"

/** A merged pull request. */
export interface MergedPull {
  readonly number: number
  readonly title: string
  /** Undefined if the account was deleted. */
  readonly author: string | undefined
  readonly labels: ReadonlyArray<string>
  /** True if the author's earlier pull requests were not merged. */
  readonly isFirst: boolean
}

export interface NotesInput {
  /** Merged pull requests, oldest merge first. */
  readonly pulls: ReadonlyArray<MergedPull>
  /** Undefined without a file in the repository. */
  readonly found: FoundConfig | undefined
  /** URL of the repository's web page. */
  readonly url: string
  readonly tag: string
  /** Tag, branch or commit of which the configuration was read. */
  readonly target: string
  /** Undefined for the first release. */
  readonly previousTag: string | undefined
}

/** Maximum length of the lists of the notes, in characters: the notes of a release can have 125,000. */
const MAX_LENGTH = 100_000

/** Title of the pull requests in no category. */
const OTHERS = "Other Changes"

const isExcluded = ({ author, labels }: MergedPull, exclude: Exclusion) =>
  labels.some((label) => exclude.labels.includes(label.toLowerCase())) ||
  (author !== undefined && exclude.authors.includes(author.toLowerCase().replace(/\[bot\]$/, ""))) ||
  (author !== undefined && exclude.authors.includes(author.toLowerCase()))

/** Groups pull requests by the first category that accepts each. Without categories, there is one group. */
const sectionsOf = (pulls: ReadonlyArray<MergedPull>, { config }: FoundConfig) => {
  const accepts = (pull: MergedPull, category: (typeof config.categories)[number]) =>
    !isExcluded(pull, category.exclude) &&
    (category.labels.includes("*") || pull.labels.some((label) => category.labels.includes(label.toLowerCase())))
  const groups = Map.groupBy(pulls, (pull) => config.categories.find((category) => accepts(pull, category)))
  return [...config.categories, undefined].flatMap((category) => {
    const group = groups.get(category)
    return group === undefined ? [] : [{ title: category?.title ?? OTHERS, pulls: group }]
  })
}

/** Returns the first pull requests whose lines are short enough together. */
const bounded = (pulls: ReadonlyArray<MergedPull>, lineOf: (pull: MergedPull) => string) => {
  let length = 0
  return pulls.filter((pull) => (length += lineOf(pull).length + 1) <= MAX_LENGTH)
}

/** Creates the notes. */
export const make = ({ found, previousTag, pulls, tag, target, url }: NotesInput): string => {
  const urlOf = ({ number }: MergedPull) => `${url}/pull/${number}`
  const lineOf = (pull: MergedPull) =>
    `* ${pull.title}${pull.author === undefined ? "" : ` by @${pull.author}`} in ${urlOf(pull)}`
  const listed = bounded(
    found === undefined ? pulls : pulls.filter((pull) => !isExcluded(pull, found.config.exclude)),
    lineOf
  )
  const hasCategories = found !== undefined && found.config.categories.length > 0
  const changes = hasCategories
    ? sectionsOf(listed, found).flatMap((section) => [`### ${section.title}`, ...section.pulls.map(lineOf)])
    : listed.map(lineOf)
  const newcomers = listed.filter(({ author, isFirst }) => isFirst && author !== undefined)
  const comment =
    found === undefined
      ? ""
      : `<!-- Release notes generated using configuration in ${found.path} at ${target.replaceAll("--", "- -")} -->\n\n`
  const changed = changes.length === 0 ? "" : `## What's Changed\n${changes.join("\n")}\n\n`
  const contributors =
    newcomers.length === 0
      ? ""
      : `## New Contributors\n${newcomers.map((pull) => `* @${pull.author} made their first contribution in ${urlOf(pull)}`).join("\n")}\n`
  const range = previousTag === undefined ? `commits/${tag}` : `compare/${previousTag}...${tag}`
  // As on GitHub, two empty lines follow the changes if nobody is new.
  const gap = changed === "" && contributors === "" ? "" : "\n"
  return `${comment}${changed}${contributors}${gap}**Full Changelog**: ${url}/${range}`
}
