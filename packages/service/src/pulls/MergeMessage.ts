/** The messages of merges of pull requests, by the settings of the repository. */
import * as Effect from "effect/Effect"
import * as Shapes from "../api/Shapes.ts"
import type { Commit, Person } from "../git/values/GitObject.ts"
import type { IssueRow } from "../issues/IssueRows.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"

/** Maximum number of commits whose messages a squashed commit has. */
const MAX_COMMITS = 250

/** A title and a text that a caller gives instead of those of the settings. */
export interface GivenMessage {
  readonly title?: string | undefined
  readonly text?: string | undefined
}

/** What a message is made of. */
interface MergeSource {
  readonly issue: Pick<IssueRow, "title" | "body" | "number">
  readonly pull: Pick<PullRequestRow, "head_ref" | "head_user">
  /** Commits of the pull request, the oldest first. */
  readonly commits: ReadonlyArray<Commit>
  readonly settings: Pick<
    RepositoryRow,
    "merge_commit_title" | "merge_commit_message" | "squash_merge_commit_title" | "squash_merge_commit_message"
  >
}

/** A merge of a pull request into the commit `base`. */
export interface NewMerge {
  readonly issue: IssueRow
  readonly pull: PullRequestRow
  readonly base: string
  readonly method: "merge" | "squash"
  readonly committer: Person
}

const commitsOf = Effect.fnUntraced(function* ({ git }: ServedRepository, base: string, head: string) {
  const oids = yield* git.log({ from: head, exclude: base, skip: 0, limit: MAX_COMMITS })
  const found = yield* Effect.forEach(oids.toReversed(), git.commit, { concurrency: 16 })
  return found.flatMap((one) => (one === undefined ? [] : [one]))
})

/** Returns the message and the author of a merge: a squashed commit has the author of the pull request. */
export const make = Effect.fnUntraced(function* (
  repository: ServedRepository,
  { base, committer, issue, method, pull }: NewMerge,
  given: GivenMessage = {}
) {
  const source = { issue, pull, settings: repository.row }
  if (method === "merge") return { author: committer, message: ofMerge({ ...source, commits: [] }, given) }
  const commits = yield* commitsOf(repository, base, pull.head_sha)
  const author = issue.author === null ? committer : yield* Shapes.personOf(issue.author)
  return { author, message: ofSquash({ ...source, commits }, given, author) }
})

const parts = (message: string) => {
  const [subject = "", ...rest] = message.trim().split("\n")
  return { subject, body: rest.join("\n").trim() }
}

const joined = (title: string, text: string) => `${[title, text].filter((part) => part !== "").join("\n\n")}\n`

/** Creates the message of a merge commit. */
const ofMerge = ({ issue, pull, settings }: MergeSource, given: GivenMessage): string => {
  const branch = pull.head_user === null ? pull.head_ref : `${pull.head_user.login}/${pull.head_ref}`
  const title =
    settings.merge_commit_title === "PR_TITLE"
      ? `${issue.title} (#${issue.number})`
      : `Merge pull request #${issue.number} from ${branch}`
  const texts = { PR_TITLE: issue.title, PR_BODY: issue.body ?? "", BLANK: "" }
  return joined(given.title ?? title, given.text ?? texts[settings.merge_commit_message])
}

/** Creates the message of a squashed commit, which names all authors of the commits but `author`. */
const ofSquash = (
  { commits, issue, settings }: MergeSource,
  given: GivenMessage,
  author: Pick<Person, "email">
): string => {
  const [only, ...others] = commits
  const single = only !== undefined && others.length === 0 ? parts(only.message) : undefined
  const isOfCommit = settings.squash_merge_commit_title === "COMMIT_OR_PR_TITLE" && single !== undefined
  const title = `${isOfCommit ? single.subject : issue.title} (#${issue.number})`
  const texts = {
    PR_BODY: issue.body ?? "",
    BLANK: "",
    COMMIT_MESSAGES: single === undefined ? listOf(commits) : single.body
  }
  const text = [texts[settings.squash_merge_commit_message], trailers(commits, author)]
  return joined(given.title ?? title, given.text ?? text.filter((part) => part !== "").join("\n\n"))
}

/** The messages of several commits as a list. */
const listOf = (commits: ReadonlyArray<Commit>) =>
  commits
    .map(({ message }) => {
      const { body, subject } = parts(message)
      return body === "" ? `* ${subject}` : `* ${subject}\n\n${body}`
    })
    .join("\n\n")

const trailers = (commits: ReadonlyArray<Commit>, { email }: Pick<Person, "email">) =>
  [...new Map(commits.map(({ author }) => [author.email.toLowerCase(), author])).values()]
    .filter((author) => author.email.toLowerCase() !== email.toLowerCase())
    .map((author) => `Co-authored-by: ${author.name} <${author.email}>`)
    .join("\n")
