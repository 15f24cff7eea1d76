/** The tool `read_commit`: a commit with message and changes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { Commit } from "@tongs/core/contract/groups/Commits"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Item } from "../answer/Answer.ts"
import { type Call, normalizePath, repositoryOf } from "../call/Call.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as Times from "../text/Times.ts"
import * as FileChanges from "../commits/FileChanges.ts"
import * as FixedList from "../lists/FixedList.ts"
import * as RelativeRevision from "../commits/RelativeRevision.ts"
import * as TextChunks from "../text/TextChunks.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "read_commit",
    description:
      "Read a commit: message, author, signature, changed files (patch: stat, the default) or patches (full).",
    uses: ["commits.get"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      ref: ToolInput.ref,
      path: Schema.optionalKey(Schema.String),
      patch: Schema.optionalKey(FileChanges.Patch)
    }),
    run: Effect.fnUntraced(function* ({ patch = "stat", path: given, ref = "HEAD", repo }, call) {
      const forge = yield* Forge
      const { owner, repo: name } = yield* repositoryOf(repo, call)
      // A branch can move between the calls that read one commit.
      const params = { owner, repo: name, ref: call.position?.page ?? ref }
      const commit = yield* Effect.mapError(
        forge.commits.get(params, { deadline: call.deadline }),
        RelativeRevision.explain([ref])
      )
      const path = normalizePath(given)
      const listed = commit.files ?? []
      const files = FileChanges.within(listed, path)
      const changes = patch === "none" ? [] : patch === "stat" ? FileChanges.lines(files) : FileChanges.patches(files)
      return {
        source: {
          repo: `${owner}/${name}`,
          ref: commit.sha.startsWith(ref) ? undefined : ref,
          commit: commit.sha,
          path
        },
        ...FixedList.from([...headItems(commit, files, call), ...changes], call, { version: commit.sha }),
        notes: notes(commit, path, listed.length, files.length),
        isContent: true,
        isLarge: patch === "full"
      }
    })
  })

const headItems = (commit: Commit, files: Commit["files"] & {}, { now }: Call): ReadonlyArray<Item> => {
  const { author, comment_count: comments, committer, message, verification } = commit.commit
  const parents = commit.parents.map(({ sha }) => AbbreviatedId.of(sha))
  const isOther = committer !== null && (committer.name !== author?.name || committer.email !== author.email)
  const facts = [
    parents.length === 0 ? "no parent" : `${parents.length === 1 ? "parent" : "parents"} ${parents.join(" ")}`,
    verification === undefined ? "" : signature(verification),
    comments === 0 ? "" : `${comments} ${comments === 1 ? "comment" : "comments"}`,
    FileChanges.totals(files)
  ]
  const head = [
    `author ${person(author, commit.author?.login, now)}`,
    ...(isOther ? [`committer ${person(committer, commit.committer?.login, now)}`] : []),
    facts.filter((fact) => fact !== "").join(", ")
  ]
  const data = {
    sha: commit.sha,
    author: { ...author, login: commit.author?.login },
    ...(isOther ? { committer: { ...committer, login: commit.committer?.login } } : {}),
    parents: commit.parents.map(({ sha }) => sha),
    verification: verification?.reason,
    comments
  }
  return [
    { data, text: head.join("\n") },
    // Indented as in git's log, so that the message cannot look like the files that follow.
    ...TextChunks.split(message).map((part) => ({ data: { message: part }, text: part.replace(/^(?!$)/gm, "    ") }))
  ]
}

const signature = ({ reason, verified }: { readonly verified: boolean; readonly reason: string }): string =>
  verified ? "signature verified" : reason === "unsigned" ? "unsigned" : `signature not verified: ${reason}`

const person = (of: Commit["commit"]["author"], login: string | undefined, now: number): string =>
  of === null
    ? "unknown"
    : `${of.name} <${of.email}>${login === undefined ? "" : ` (${login})`}, ${Times.long(of.date, now)}`

const notes = ({ parents: [parent] }: Commit, path: string, listed: number, shown: number): ReadonlyArray<string> => {
  if (listed >= FileChanges.MAX_FILES) {
    const before = parent === undefined ? "" : ` and at its parent ${AbbreviatedId.of(parent.sha)}`
    return [
      `Listed are only the first ${FileChanges.MAX_FILES} files of the commit; there may be more. For another file, call read_file at this commit${before}.`
    ]
  }
  return path !== "" && shown === 0 ? ["The commit does not change this path."] : []
}
