/** Comparisons of commits: from the extension of the contract, or without it from the documented operations. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import * as Failure from "@tongs/core/contract/Failure"
import type { CommitSummary, FileChange } from "@tongs/core/contract/groups/Commits"
import type { FileDifference } from "@tongs/core/contract/groups/Comparisons"
import type * as ComparisonApi from "../ComparisonApi.ts"
import { PATCHES_PER_PAGE } from "../PatchPages.ts"
import type { RepositoryName } from "../ExplorerApi.ts"
import { interactive } from "./RequestOptions.ts"

/** The files to compare. */
export interface Filter extends RepositoryName {
  readonly path?: string
  readonly ignoreWhitespace?: "true"
}

/** Maximum number of files in a comparison. */
const MAX_FILES = 3_000

/** Characters above which a patch is sent only in a response for this file alone. */
const MAX_LISTED_PATCH = 100_000

const PER_PAGE = 100

export const comparison = Effect.fn("Comparisons.comparison")(function* (filter: Filter & Ends) {
  // `main...main` as the base would compare other versions: no name of a version contains two dots.
  for (const [end, name] of [["base", filter.base] as const, ["head", filter.head] as const]) {
    if (!name.includes("..")) continue
    const detail = `${JSON.stringify(name)} is not the name of a branch, tag or commit`
    return yield* new Failure.NotFound({ request: `${end} ${name}`, detail })
  }
  return yield* Effect.catchTag(extended(filter, `${filter.base}...${filter.head}`), "Unsupported", () =>
    documented(filter)
  )
})

interface Ends {
  readonly base: string
  readonly head: string
}

/** The changes of a pull request between the commits of its branches. */
export const pullRequest = Effect.fn("Comparisons.pullRequest")(function* ({
  number,
  ...filter
}: Filter & Ends & { readonly number: number }) {
  return yield* Effect.catchTag(extended(filter, `${filter.base}...${filter.head}`), "Unsupported", () =>
    documentedPullRequest({ ...filter, number })
  )
})

export const commit = Effect.fn("Comparisons.commit")(function* ({
  ref,
  ...filter
}: Filter & { readonly ref: string }) {
  const { owner, path = "", repo } = filter
  const forge = yield* Forge
  const options = yield* interactive
  const extendedCommit = Effect.gen(function* () {
    const compared = yield* extended(filter, ref)
    const { items } = yield* forge.commits.list({ owner, repo, sha: compared.head }, { ...options, perPage: 1 }).first
    const [found] = items
    if (found === undefined) return yield* new Failure.NotFound({ request: `commit ${ref}`, detail: "no such commit" })
    return { ...describe(found), comparison: compared } satisfies ComparisonApi.CommitDetails
  })
  return yield* Effect.catchTag(extendedCommit, "Unsupported", () =>
    Effect.map(forge.commits.get({ owner, repo, ref }, options), (found) => {
      const parent = found.parents[0]?.sha ?? null
      return {
        ...describe(found),
        comparison: {
          base: parent,
          head: found.sha,
          from: parent,
          aheadBy: 1,
          behindBy: 0,
          commits: [listed(found)],
          ...counted(documentedFiles(found.files ?? [], path))
        }
      } satisfies ComparisonApi.CommitDetails
    })
  )
})

/** One page of files with patches, or a single file with a patch of any size. */
export const patches = Effect.fn("Comparisons.patches")(function* ({
  from,
  head,
  page = 1,
  ...filter
}: Filter & { readonly from?: string; readonly head: string; readonly page?: number }) {
  const files = yield* filesOf(filter, from === undefined ? head : `${from}..${head}`, {
    patches: "true",
    page,
    perPage: PATCHES_PER_PAGE
  })
  return files.length === 1 ? files : files.map(withoutLargePatch)
})

const extended = Effect.fnUntraced(function* (filter: Filter, basehead: string) {
  const { owner, repo } = filter
  const forge = yield* Forge
  const summary = yield* forge.comparisons.get({ owner, repo, basehead, ...filterQuery(filter) }, yield* interactive)
  const pages = Math.ceil(Math.min(summary.total_files, MAX_FILES) / PER_PAGE)
  // The ids instead of the names: a push in between must not mix two states.
  const pinned = summary.from === null ? summary.head : `${summary.from}..${summary.head}`
  const page = (page: number) => filesOf(filter, pinned, { patches: "false", page, perPage: PER_PAGE })
  const [listing, first] = yield* Effect.all(
    [
      Effect.forEach(
        Array.from({ length: pages }, (_, index) => index + 1),
        page,
        { concurrency: 4 }
      ),
      filesOf(filter, pinned, { patches: "true", page: 1, perPage: PATCHES_PER_PAGE })
    ],
    { concurrency: 2 }
  )
  return {
    base: summary.base,
    head: summary.head,
    from: summary.from,
    aheadBy: summary.ahead_by,
    behindBy: summary.behind_by,
    commits: summary.commits,
    totalFiles: summary.total_files,
    additions: summary.additions,
    deletions: summary.deletions,
    files: listing.flat().map((file, index) => {
      const patched = first[index]
      return patched === undefined ? file : first.length === 1 ? patched : withoutLargePatch(patched)
    }),
    hasPages: true
  } satisfies ComparisonApi.Comparison
})

const documented = Effect.fnUntraced(function* ({ base, head, owner, path = "", repo }: Filter & Ends) {
  const forge = yield* Forge
  const found = yield* forge.commits.compare({ owner, repo, basehead: `${base}...${head}` }, yield* interactive)
  return {
    base: found.base_commit.sha,
    head: found.commits.at(-1)?.sha ?? (found.status === "identical" ? found.base_commit.sha : head),
    from: found.merge_base_commit.sha,
    aheadBy: found.ahead_by,
    behindBy: found.behind_by,
    commits: found.commits.map(listed).toReversed(),
    ...counted(documentedFiles(found.files ?? [], path))
  } satisfies ComparisonApi.Comparison
})

const documentedPullRequest = Effect.fnUntraced(function* (pull: Filter & Ends & { readonly number: number }) {
  const { base, head, number, owner, path = "", repo } = pull
  const forge = yield* Forge
  const files: Array<FileChange> = []
  for (let page = 1; files.length < MAX_FILES; page++) {
    const { items, links } = yield* forge.pulls.listFiles(
      { owner, repo, pull_number: number },
      { ...(yield* interactive), page, perPage: PER_PAGE }
    ).first
    files.push(...items)
    if (links.next === undefined) break
  }
  return {
    base,
    head,
    // The files do not name the merge base.
    from: base,
    aheadBy: 0,
    behindBy: 0,
    commits: [],
    ...counted(documentedFiles(files, path))
  } satisfies ComparisonApi.Comparison
})

const filesOf = Effect.fnUntraced(function* (
  filter: Filter,
  basehead: string,
  { page, patches, perPage }: { readonly patches: "true" | "false"; readonly page: number; readonly perPage: number }
) {
  const { owner, repo } = filter
  const forge = yield* Forge
  const { items } = yield* forge.comparisons.listFiles(
    { owner, repo, basehead, patches, ...filterQuery(filter) },
    { ...(yield* interactive), page, perPage }
  ).first
  return items.map(changedFile)
})

const filterQuery = ({ ignoreWhitespace, path }: Filter) => ({
  ...(path === undefined || path === "" ? {} : { path }),
  ...(ignoreWhitespace === undefined ? {} : { ignore_whitespace: ignoreWhitespace })
})

const changedFile = (file: FileDifference): ComparisonApi.ChangedFile => ({
  path: file.filename,
  previousPath: file.previous_filename ?? null,
  status: file.status,
  oid: file.sha,
  mode: file.mode,
  previousMode: file.previous_mode,
  additions: file.additions,
  deletions: file.deletions,
  binary: file.binary,
  ...(file.patch === undefined ? {} : { patch: file.patch })
})

const withoutLargePatch = (file: ComparisonApi.ChangedFile): ComparisonApi.ChangedFile => {
  if (file.patch === undefined || file.patch.length <= MAX_LISTED_PATCH) return file
  const { patch: _, ...rest } = file
  return { ...rest, hasLargePatch: true }
}

/** The files below a path. The documented operations have no filter by path. */
const documentedFiles = (files: ReadonlyArray<FileChange>, path: string): ReadonlyArray<ComparisonApi.ChangedFile> =>
  files
    .filter(({ filename, previous_filename: previous }) => isBelow(filename, path) || isBelow(previous ?? "", path))
    .map((file) => ({
      path: file.filename,
      previousPath: file.previous_filename ?? null,
      status: file.status,
      oid: file.sha,
      mode: null,
      previousMode: null,
      additions: file.additions,
      deletions: file.deletions,
      // The documented API does not mark binary files. Binary files have no changed lines, like a file with only a new
      // name.
      binary: file.patch === undefined && file.changes === 0 && file.status !== "renamed",
      ...(file.patch === undefined ? {} : { patch: file.patch })
    }))

const isBelow = (file: string, path: string): boolean => path === "" || file === path || file.startsWith(`${path}/`)

const counted = (files: ReadonlyArray<ComparisonApi.ChangedFile>) => ({
  totalFiles: files.length,
  additions: files.reduce((sum, { additions }) => sum + additions, 0),
  deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
  files,
  hasPages: false
})

type FoundCommit = Pick<CommitSummary, "commit" | "parents" | "sha">

/** A commit as an item of a list. */
export const listed = ({ commit, sha }: FoundCommit): ComparisonApi.ListedCommit => ({
  commit: sha,
  author: commit.author?.name ?? null,
  date: commit.author?.date ?? null,
  summary: commit.message.split("\n", 1)[0] ?? ""
})

const describe = ({ commit: { author, committer, message }, parents, sha }: FoundCommit) => ({
  sha,
  message,
  author: signature(author),
  committer: signature(committer),
  parents: parents.map(({ sha }) => sha)
})

const signature = (person: CommitSummary["commit"]["author"]) =>
  person === null ? null : { name: person.name ?? "", email: person.email ?? "", date: person.date ?? null }
