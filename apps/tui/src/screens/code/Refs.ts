/** The branches and tags of a repository. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Branch } from "@tongs/core/contract/groups/Branches"
import * as Relations from "@tongs/core/contract/Relations"
import type { Tag } from "@tongs/core/contract/groups/Tags"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as Document from "../../content/Document.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen } from "../Screen.ts"
import * as CommitMessage from "./CommitMessage.ts"
import * as Person from "./Person.ts"
import * as RevisionArguments from "./RevisionArguments.ts"
import * as Tips from "./Tips.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

const branchesEntry = entriesOfGroup("branches").find(({ name }) => name === "list")
const tagsEntry = entriesOfGroup("tags").find(({ name }) => name === "list")

/** Returns the arguments that the contract declares for a branch or tag, for example `ref` of the group `gitRefs`. */
const declaredArguments = (
  entry: CatalogEntry | undefined,
  at: RevisionArguments.Repository,
  item: Branch | Tag
): Relations.Arguments => (entry === undefined ? { ...at } : Relations.argumentsOf(entry, { ...at }, item))

/** The embedded forge has no limits; a remote forge counts each request. */
const limitsOf = ({ services }: Source.Environment): Tips.Limits =>
  Context.get(services, Connection).kind === "embedded"
    ? { commits: 2_000, comparisons: 500 }
    : { commits: 100, comparisons: 20 }

/** Cells of the commit of a branch or tag: subject, author and age. Empty until the commit has loaded. */
const tipCells = (tips: Tips.Tips, sha: string, now: number): ReadonlyArray<Line> => {
  const found = tips.commit(sha)
  if (found === undefined) return [StyledLine.line("·", "muted"), StyledLine.empty, StyledLine.empty]
  return [
    StyledLine.line(CommitMessage.subject(found.message)),
    Person.line(found.author.name),
    StyledLine.line(ShortAge.format(Date.parse(found.committer.date), now), "muted")
  ]
}

const tipColumns = [
  { header: "SUBJECT", size: "grow" },
  { header: "AUTHOR", size: "fit", optional: 3 },
  { header: "AGE", size: "fit", align: "right", optional: 1 }
] as const // literal types of the columns

/** Formats a distance as `↑3 ↓12`. */
const distance = (found: Tips.Distance | undefined): Line => [
  ...(found === undefined || found.ahead === 0 ? [] : [StyledLine.span(`↑${found.ahead}`, "added")]),
  ...(found === undefined || found.ahead === 0 || found.behind === 0 ? [] : [StyledLine.span(" ")]),
  ...(found === undefined || found.behind === 0 ? [] : [StyledLine.span(`↓${found.behind}`, "removed")])
]

const branchTable = (
  at: RevisionArguments.Repository,
  tips: Tips.Tips,
  defaultBranch: () => string | undefined
): TableDefinition<Branch> => ({
  columns: [
    { header: "NAME", size: "fit", maxShare: 0.45, truncate: "start" },
    { header: "", size: "fit", optional: 4 },
    { header: "AHEAD", size: "fit", optional: 2 },
    ...tipColumns
  ],
  noun: ["branch", "branches"],
  emptyMessage: { title: "No branches yet", hint: "Push a commit to create one: git push -u origin main" },
  row: (branch) => ({
    id: branch.name,
    title: branch.name,
    copy: branch.name,
    route: RevisionArguments.log({ ...at, ref: branch.name }),
    arguments: {
      ...declaredArguments(branchesEntry, at, branch),
      branch: branch.name,
      sha: branch.commit.sha,
      commit_sha: branch.commit.sha,
      ...(defaultBranch() === undefined ? {} : { basehead: `${defaultBranch()}...${branch.name}` })
    },
    value: branch,
    cells: (now) => [
      StyledLine.line(branch.name, branch.name === defaultBranch() ? "strong" : "plain"),
      marks(branch, defaultBranch()),
      distance(tips.distance(branch.commit.sha)),
      ...tipCells(tips, branch.commit.sha, now)
    ],
    preview: () => branchDocument(branch, at, tips, defaultBranch())
  })
})

const marks = (branch: Branch, defaultBranch: string | undefined): Line => {
  const all = [...(branch.name === defaultBranch ? ["default"] : []), ...(branch.protected ? ["protected"] : [])]
  return all.length === 0 ? StyledLine.empty : StyledLine.line(all.join(" "), "accent")
}

/** Creates the details of a branch beside the list, with links to the commit and the changes. */
const branchDocument = (
  branch: Branch,
  at: RevisionArguments.Repository,
  tips: Tips.Tips,
  defaultBranch: string | undefined
): Document.Document => {
  const found = tips.distance(branch.commit.sha)
  const others =
    defaultBranch === undefined || branch.name === defaultBranch
      ? []
      : [
          {
            line: [
              ...StyledLine.field("changes", `compared with ${defaultBranch}`, "link"),
              StyledLine.span("  "),
              ...distance(found)
            ],
            route: RevisionArguments.compare(at, defaultBranch, branch.name)
          }
        ]
  return refDocument(branch, at, tips, [
    { line: marks(branch, defaultBranch) },
    ...others,
    {
      line: StyledLine.field("files", "browse", "link"),
      route: RevisionArguments.content({ ...at, ref: branch.name }, "")
    }
  ])
}

const refDocument = (
  { commit, name }: Tips.Ref,
  at: RevisionArguments.Repository,
  tips: Tips.Tips,
  lines: ReadonlyArray<Document.DocumentLine>
): Document.Document =>
  Document.make(name, (columns) => {
    const tip = tips.commit(commit.sha)
    const wrapped = (text: string) => StyledLine.wrap(text, columns).map((part) => ({ line: StyledLine.line(part) }))
    const body = tip === undefined ? "" : CommitMessage.body(tip.message)
    return Document.fromLines([
      ...StyledLine.wrap(name, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
      ...lines.filter(({ line }) => line.length > 0),
      {
        line: StyledLine.field("commit", AbbreviatedId.of(commit.sha), "id"),
        route: RevisionArguments.commit(at, commit.sha),
        copy: commit.sha
      },
      ...(tip === undefined
        ? []
        : [
            { line: StyledLine.field("author", tip.author.name, "strong") },
            { line: StyledLine.empty },
            ...wrapped(CommitMessage.subject(tip.message)),
            ...(body === "" ? [] : [{ line: StyledLine.empty }, ...wrapped(body)])
          ])
    ])
  })

/** Returns whether branches are sorted by name, as forges send them. */
const isSorted = (branches: ReadonlyArray<Branch>): boolean =>
  branches.every(({ name }, index) => index === 0 || (branches[index - 1]?.name ?? "") < name)

/** The screen of `branches.list`. */
export const branches: Screen = {
  id: "branches.list",
  label: "branches",
  entry: branchesEntry,
  required: ["owner", "repo"],
  title: () => "branches",
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    const tips = Tips.make(at, limitsOf(environment))
    let defaultBranch: string | undefined
    let base: Branch | undefined
    let isOrdered = true
    return PagedSource.make(environment, {
      definition: branchTable(at, tips, () => defaultBranch),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        Effect.gen(function* () {
          const { page: number, perPage, ...single } = options
          const [repository, page] = yield* Effect.all(
            // The list is useful without the mark of the default branch, so a failure of this request is ignored.
            [Effect.option(forge.repositories.get(at, single)), forge.branches.list(at, options).first],
            { concurrency: 2 }
          )
          if (repository._tag === "Some") defaultBranch = repository.value.default_branch
          isOrdered &&= isSorted(page.items)
          const found = page.items.find(({ name }) => name === defaultBranch)
          const isElsewhere = number === 1 && perPage === PER_PAGE && page.links.next !== undefined
          if (found !== undefined) base = found
          else if (isElsewhere && defaultBranch !== undefined)
            base = yield* Effect.orElseSucceed(
              forge.branches.get({ ...at, branch: defaultBranch }, single),
              () => undefined
            )
          return page
        }),
      first: () => (isOrdered ? base : undefined),
      isNumbered: true,
      perPage: PER_PAGE,
      details: (forge, visible, show) =>
        Effect.andThen(
          tips.loadCommits(forge, visible, show),
          base === undefined ? Effect.void : tips.loadDistances(forge, visible, base, show)
        )
    })
  }
}

const tagTable = (at: RevisionArguments.Repository, tips: Tips.Tips): TableDefinition<Tag> => ({
  columns: [
    { header: "NAME", size: "fit", maxShare: 0.45, truncate: "start" },
    { header: "SHA", size: "fit", optional: 4 },
    ...tipColumns
  ],
  noun: ["tag", "tags"],
  emptyMessage: { title: "No tags yet", hint: "Create one for a release: git tag v1.0.0 && git push --tags" },
  row: (tag) => ({
    id: tag.name,
    title: tag.name,
    copy: tag.name,
    route: RevisionArguments.log({ ...at, ref: tag.name }),
    arguments: {
      ...declaredArguments(tagsEntry, at, tag),
      tag: tag.name,
      sha: tag.commit.sha,
      commit_sha: tag.commit.sha,
      basehead: `${tag.name}...HEAD`
    },
    value: tag,
    cells: (now) => [
      StyledLine.line(tag.name),
      StyledLine.line(AbbreviatedId.of(tag.commit.sha), "id"),
      ...tipCells(tips, tag.commit.sha, now)
    ],
    preview: () =>
      refDocument(tag, at, tips, [
        {
          line: StyledLine.field("changes", "since this tag", "link"),
          route: RevisionArguments.compare(at, tag.name, "HEAD")
        },
        {
          line: StyledLine.field("files", "browse", "link"),
          route: RevisionArguments.content({ ...at, ref: tag.name }, "")
        }
      ])
  })
})

/** The screen of `tags.list`. */
export const tags: Screen = {
  id: "tags.list",
  label: "tags",
  entry: tagsEntry,
  required: ["owner", "repo"],
  title: () => "tags",
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    const tips = Tips.make(at, limitsOf(environment))
    return PagedSource.make(environment, {
      definition: tagTable(at, tips),
      fetch: (forge, { cursor: _cursor, ...options }) => forge.tags.list(at, options).first,
      isNumbered: true,
      perPage: PER_PAGE,
      details: (forge, visible, show) => tips.loadCommits(forge, visible, show)
    })
  }
}
