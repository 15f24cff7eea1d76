/** Commits as lines: short sha, date, distance from now, author and subject. */
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Item } from "../answer/Answer.ts"
import * as Times from "../text/Times.ts"
import * as Truncation from "../text/Truncation.ts"

/** Returns the login of a commit's author, or the name if no account has the e-mail address. */
export const authorOf = ({ author, commit }: Pick<CommitSummary, "author" | "commit">): string =>
  author?.login ?? commit.author?.name ?? "unknown"

/** Maximum number of characters of a subject. */
const MAX_SUBJECT = 200

/** Returns the first line of a commit's message. */
export const subjectOf = ({ message }: Pick<CommitSummary["commit"], "message">): string => {
  const [subject = ""] = message.trimStart().split("\n", 1)
  return Truncation.shorten(subject, MAX_SUBJECT)
}

/**
 * Returns commits as items of one line each. An author that all commits share, and dates that most neighboring commits
 * share, are in headings. `times: false` omits dates.
 */
export const items = (
  commits: ReadonlyArray<CommitSummary>,
  now: number,
  { times } = { times: true }
): ReadonlyArray<Item> => {
  const [first] = commits
  const shared = first !== undefined && commits.every((one) => authorOf(one) === authorOf(first)) ? authorOf(first) : ""
  const dates = commits.map((one) => dateOf(one).slice(0, 10))
  const runs = dates.filter((date, index) => date !== dates[index - 1]).length
  const isByDate = times && runs * 2 < commits.length
  return commits.map((one, index) => {
    const author = authorOf(one)
    const heading = [isByDate ? dates[index] : "", shared === "" ? "" : `by ${shared}`].filter((part) => part !== "")
    const parts = [
      AbbreviatedId.of(one.sha),
      isByDate ? Times.distance(dateOf(one), now) : times ? Times.short(dateOf(one), now) : "",
      shared === "" ? `${author}:` : "",
      subjectOf(one.commit)
    ]
    return {
      data: { sha: one.sha, date: dateOf(one), author, subject: subjectOf(one.commit) },
      text: parts.filter((part) => part !== "").join(" "),
      ...(heading.length === 0 ? {} : { heading: heading.join(" ") })
    }
  })
}

const dateOf = ({ commit }: CommitSummary): string => commit.author?.date ?? commit.committer?.date ?? ""
