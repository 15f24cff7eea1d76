/** The references to a name in one repository. */
import type { Reference } from "@tongs/core/contract/CodeNavigation"
import type { TextRange } from "@tongs/core/contract/CodeSearch"
import type * as ExplorerApi from "../../ExplorerApi.ts"

/** Milliseconds before a response of the index is stale. */
export const STALE_TIME = 10_000

/** Maximum number of references that are listed. */
export const MAX_LISTED = 60

/** The query for all references to a name in a repository, and its definitions. */
export const query = ({ owner, repo }: ExplorerApi.RepositoryName, word: string): string =>
  `"${word}" word:yes case:yes repo:${owner}/${repo}`

/** The line without its indentation. */
export const trimmed = ({
  matches,
  text
}: Reference): { readonly text: string; readonly matches: ReadonlyArray<TextRange> } => {
  const start = text.length - text.trimStart().length
  return { text: text.trim(), matches: matches.map(([from, to]): TextRange => [from - start, to - start]) }
}
