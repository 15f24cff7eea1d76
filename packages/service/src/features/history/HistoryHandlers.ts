import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type BlameRange, History } from "@tongs/core/contract/groups/History"
import * as Blame from "../../git/history/Blame.ts"
import * as CommitActivity from "../../git/history/CommitActivity.ts"
import * as FileHistory from "../../git/history/FileHistory.ts"
import * as FolderHistory from "../../git/history/FolderHistory.ts"
import { Git } from "../../git/process/Git.ts"
import { splitPath } from "../../git/objects/Objects.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { timestamp } from "../../base/Time.ts"
import * as FileLookup from "../../api/FileLookup.ts"
import * as Shapes from "../../api/Shapes.ts"

const DEFAULT_DAYS = 42

/** Maximum number of entries of a folder that are shown with the last commit. */
const MAX_ENTRIES = 5_000

const MILLIS_PER_DAY = 24 * 60 * 60 * 1_000

const commitOf = ({ author, oid, seconds, summary }: Blame.CommitLine) => ({
  commit: Shapes.sha(oid),
  author,
  date: timestamp(seconds * 1_000),
  summary
})

const blameRange = (range: Blame.BlameRange): BlameRange => ({
  from: range.from,
  to: range.to,
  ...commitOf(range),
  path: range.path,
  line: range.line,
  ...(range.previous === undefined
    ? {}
    : { previous: { commit: Shapes.sha(range.previous.oid), path: range.previous.path } })
})

const pageOf = ({ changes, isIncomplete, more }: FileHistory.FileHistoryPage) => {
  const items = changes.map((change) => ({ ...commitOf(change), path: change.path }))
  return {
    items,
    total: { more },
    wrap: (shown: ReadonlyArray<unknown>) => ({ incomplete_results: isIncomplete, items: shown })
  }
}

const invalidLines = (lines: string) =>
  ApiError.invalid(`No lines ${lines} in the file. Pass the first and the last line of a range, such as 10,24`, [
    { resource: "File", field: "lines", code: "invalid" }
  ])

/** Parses the first and the last line of a range. */
const linesOf = (text: string): FileHistory.LineRange | undefined => {
  const [, from = 0, to = 0] = (/^(\d{1,9}),(\d{1,9})$/.exec(text) ?? []).map(Number)
  return from >= 1 && from <= to ? { from, to } : undefined
}

export const make = Effect.map(Git, (git) => {
  const blame = Blame.make(git)
  const history = FileHistory.make(git)
  const lineHistory = FileHistory.ofLines(git)
  const folderHistory = FolderHistory.make(git)
  const activity = CommitActivity.make(git)
  return group(History)({
    *getBlame({ path, ref }, { repository }) {
      const { commit } = yield* FileLookup.find(repository, path, ref)
      const ranges = yield* blame(repository.git.gitDir, commit, path)
      return { ranges: ranges.map(blameRange) }
    },

    *listForFile({ lines, path, ref = "HEAD" }, { page, repository }) {
      const { git } = repository
      const commit = yield* git.resolve(ref)
      // Git fails for a path that leaves the repository.
      if (commit === undefined || path === "" || splitPath(path) === undefined) return yield* ApiError.notFound()
      const file = { gitDir: git.gitDir, commit, path }
      if (lines !== undefined) {
        const range = linesOf(lines)
        yield* FileLookup.find(repository, path, commit)
        if (range === undefined) return yield* invalidLines(lines)
        return pageOf(
          yield* lineHistory({ ...file, ...range }, page.offset, page.perPage).pipe(
            Effect.catchIf(FileHistory.isOutside, () => invalidLines(lines))
          )
        )
      }
      const found = yield* history(file, page.offset, page.perPage)
      if (found.changes.length === 0 && page.offset === 0) return yield* ApiError.notFound()
      return pageOf(found)
    },

    *listForFolder({ path, ref = "HEAD" }, { repository: { git } }) {
      const commit = yield* git.resolve(ref)
      const folder = commit === undefined ? undefined : yield* git.entryAt(commit, path === "/" ? "" : path)
      if (commit === undefined || folder?.kind !== "dir") return yield* ApiError.notFound()
      const all = (yield* git.tree(folder.oid)) ?? []
      const entries = new Map(all.slice(0, MAX_ENTRIES).map(({ name, oid }) => [name, oid]))
      const { commits, isComplete } = yield* folderHistory({ gitDir: git.gitDir, commit, path: folder.path, entries })
      return {
        commit: Shapes.sha(commit),
        incomplete_results: !isComplete || all.length > MAX_ENTRIES,
        entries: Array.from(entries.keys()).flatMap((name) => {
          const last = commits.get(name)
          return last === undefined
            ? []
            : [{ path: folder.path === "" ? name : `${folder.path}/${name}`, ...commitOf(last) }]
        })
      }
    },

    *getActivity({ days = DEFAULT_DAYS }, { repository }) {
      const { git } = repository
      const commit = yield* git.resolve("HEAD")
      const today = Math.floor((yield* Clock.currentTimeMillis) / MILLIS_PER_DAY)
      const { counts, latest } =
        commit === undefined
          ? { counts: Array.from({ length: days }, () => 0), latest: [] }
          : yield* activity({ gitDir: git.gitDir, commit, days }, today)
      const dayOf = (index: number) => new Date((today - days + 1 + index) * MILLIS_PER_DAY).toISOString().slice(0, 10)
      return {
        days: counts.map((commits, index) => ({ day: dayOf(index), commits })),
        latest: latest.map(commitOf)
      }
    }
  })
})
