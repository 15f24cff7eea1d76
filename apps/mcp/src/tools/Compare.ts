/** The tool `compare`: the commits and changed files of a branch, tag or commit since the merge base with another. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { Comparison } from "@tongs/core/contract/groups/Commits"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import { DEFAULT_TOKENS, type Item } from "../answer/Answer.ts"
import { normalizePath, repositoryOf } from "../call/Call.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"
import * as CommitLines from "../commits/CommitLines.ts"
import * as FileChanges from "../commits/FileChanges.ts"
import * as FileView from "../files/FileView.ts"
import * as FixedList from "../lists/FixedList.ts"
import * as RelativeRevision from "../commits/RelativeRevision.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "compare",
    description:
      "Compare two branches, tags or commits: the commits and changed files of head since its merge base with base. patch: stat by default.",
    uses: ["commits.compare"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      base: Schema.String,
      head: Schema.optionalKey(Schema.String),
      path: Schema.optionalKey(Schema.String),
      patch: Schema.optionalKey(FileChanges.Patch)
    }),
    run: Effect.fnUntraced(function* ({ base, head: given, patch = "stat", path: within, repo }, call) {
      const forge = yield* Forge
      const repository = yield* repositoryOf(repo, call)
      const { owner, repo: name } = repository
      const view = yield* FileView.of(repository, given, call)
      const head = view.ref ?? "HEAD"
      // Branches can move between the calls that read one comparison.
      const params = { owner, repo: name, basehead: call.position?.page ?? `${base}...${head}` }
      const comparison = yield* Effect.mapError(
        forge.commits.compare(params, { deadline: call.deadline }),
        RelativeRevision.explain([base, head])
      )
      const path = normalizePath(within)
      const listed = comparison.files ?? []
      const files = patch === "none" ? [] : FileChanges.within(listed, path)
      // The commits of the whole range say nothing about a path: list_commits has the commits of a path.
      const commits = path === "" ? comparison.commits.toReversed() : []
      const items = arrange(
        summary(comparison, FileChanges.within(listed, path), listed.length),
        CommitLines.items(commits, call.now, { times: false }),
        files,
        patch === "full"
      )
      const range = `${comparison.base_commit.sha}...${headOf(comparison)}`
      return {
        source: {
          ...view.source,
          ref: undefined,
          base: named(base, comparison.base_commit.sha),
          head: view.source.work_tree === undefined ? named(head, headOf(comparison)) : "work tree",
          path
        },
        ...FixedList.from(items, call, { version: range }),
        notes: [...notes(comparison, path, files.length), ...view.notes],
        isContent: true,
        isLarge: patch === "full"
      }
    })
  })

/** Returns the commit of `head`. A comparison has the newest commits before `head`, but without `head`. */
const headOf = ({ commits, merge_base_commit: mergeBase }: Comparison): string => commits.at(-1)?.sha ?? mergeBase.sha

/** Returns a name with the commit, for example `main (1a2b3c4)`. */
const named = (ref: string, sha: string): string =>
  sha.startsWith(ref) ? AbbreviatedId.of(sha) : `${ref} (${AbbreviatedId.of(sha)})`

const summary = (comparison: Comparison, files: Comparison["files"] & {}, listed: number): Item => {
  const { ahead_by: ahead, behind_by: behind, merge_base_commit: mergeBase, status } = comparison
  const data = { status, ahead, behind, merge_base: mergeBase.sha, files: files.length }
  if (status === "identical") return { data, text: "identical" }
  const base = `merge base ${AbbreviatedId.of(mergeBase.sha)}`
  return {
    data,
    text: `ahead ${ahead}, behind ${behind}, ${base}; ${listed < FileChanges.MAX_FILES ? "" : "at least "}${FileChanges.totals(files)}`
  }
}

/** Estimated tokens of the commits and files that one answer can contain. */
const ROOM = DEFAULT_TOKENS - 400

/** Estimated tokens of the commits before the files, if not everything fits. */
const COMMITS_ROOM = 700

/**
 * Arranges the items so that the first answer is a summary: if not everything fits, the newest commits, the folders with
 * most changes, and the files with most changes come first.
 */
const arrange = (
  summary: Item,
  commits: ReadonlyArray<Item>,
  files: Comparison["files"] & {},
  isFull: boolean
): ReadonlyArray<Item> => {
  const all = isFull ? FileChanges.patches(files) : FileChanges.lines(files)
  const heading =
    commits.length === 0
      ? ""
      : `commits, newest first${commits[0]?.heading === undefined ? "" : `, ${commits[0].heading}`}:`
  const log = commits.map((item) => ({ ...item, heading }))
  if (!isFull && tokensOf(log) + tokensOf(all) <= ROOM) return [summary, ...log, ...all]
  const end = fitting(log, COMMITS_ROOM)
  const changes = isFull ? all : [...FileChanges.folders(files), ...FileChanges.largest(files)]
  return [summary, ...log.slice(0, end), ...changes, ...log.slice(end)]
}

const tokensOf = (items: ReadonlyArray<Item>): number =>
  items.reduce((sum, { heading = "", text }, index) => {
    const isNew = heading !== items[index - 1]?.heading
    return sum + estimateTokens(`${isNew ? `${heading}\n` : ""}${text}\n`)
  }, 0)

/** Returns the number of items, from the first, that have at most `room` tokens. */
const fitting = (items: ReadonlyArray<Item>, room: number): number => {
  let tokens = 0
  const end = items.findIndex(({ text }) => (tokens += estimateTokens(`${text}\n`)) > room)
  return end === -1 ? items.length : end
}

const notes = (comparison: Comparison, path: string, shown: number): ReadonlyArray<string> => {
  const { ahead_by: ahead, behind_by: behind, commits, files = [] } = comparison
  const middle = commits[Math.floor(commits.length / 2)]?.sha
  const parent = commits[0]?.parents[0]?.sha
  return [
    ...(ahead === 0 && behind > 0
      ? ["head has no commits that base lacks. Swap them to see the commits of base."]
      : []),
    ...(commits.length < ahead && parent !== undefined
      ? [
          `The forge lists only the newest ${commits.length} of ${ahead} commits. Older ones: list_commits with ${JSON.stringify({ ref: parent, limit: Math.min(100, ahead - commits.length) })}.`
        ]
      : []),
    ...(files.length >= FileChanges.MAX_FILES
      ? [
          `The forge lists only the first ${FileChanges.MAX_FILES} files; there may be more.${middle === undefined ? "" : ` Compare smaller ranges, for example from or to ${AbbreviatedId.of(middle)}.`}`
        ]
      : path !== "" && shown === 0
        ? ["No file in this path differs."]
        : []),
    ...(path === "" || commits.length === 0 ? [] : ["Commits of the path: list_commits."])
  ]
}
