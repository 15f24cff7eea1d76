/** The branches and tags of a repository. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Branch } from "@tongs/core/contract/Branches"
import type { Tag } from "@tongs/core/contract/Tags"
import { shortRef } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Revision from "./Revision.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

const branchTable = (at: Revision.Revision, defaultBranch: () => string | undefined): TableDefinition<Branch> => ({
  columns: [
    { header: "NAME", size: "grow" },
    { header: "STATE", size: "fit", optional: 1 },
    { header: "SHA", size: "fit" }
  ],
  noun: ["branch", "branches"],
  emptyMessage: { title: "No branches yet", hint: "Push a commit to create one: git push -u origin main" },
  row: (branch) => ({
    id: branch.name,
    title: branch.name,
    copy: branch.name,
    route: Revision.log({ ...at, ref: branch.name }),
    arguments: {
      ...Revision.repository(at),
      branch: branch.name,
      ref: `heads/${branch.name}`,
      sha: branch.commit.sha,
      commit_sha: branch.commit.sha
    },
    value: branch,
    cells: () => [
      StyledLine.line(branch.name, branch.name === defaultBranch() ? "strong" : "plain"),
      [
        ...(branch.name === defaultBranch() ? [StyledLine.span("default ", "accent")] : []),
        ...(branch.protected ? [StyledLine.span("protected", "accent")] : [])
      ],
      StyledLine.line(shortRef(branch.commit.sha), "id")
    ]
  })
})

/** The screen of `branches.list`. Marks the default branch. */
export const branches: Screen = {
  id: "branches.list",
  label: "branches",
  entry: entriesOfGroup("branches").find(({ name }) => name === "list"),
  required: ["owner", "repo"],
  title: () => "branches",
  open: (environment, values) => {
    const at = Revision.repository(Revision.of(values))
    let defaultBranch: string | undefined
    return Source.fromPages(environment, {
      definition: branchTable(at, () => defaultBranch),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        Effect.gen(function* () {
          const { perPage: _perPage, page: _page, ...single } = options
          // The list is useful without the mark, so a failure of this request is ignored.
          const repository = forge.repositories.get(at, single)
          const found = yield* Effect.option(Effect.map(repository, ({ default_branch }) => default_branch))
          if (found._tag === "Some") defaultBranch = found.value
          return yield* forge.branches.list(at, options).first
        }),
      isNumbered: true,
      perPage: PER_PAGE
    })
  }
}

const tagTable = (at: Revision.Revision): TableDefinition<Tag> => ({
  columns: [
    { header: "NAME", size: "grow" },
    { header: "SHA", size: "fit" }
  ],
  noun: ["tag", "tags"],
  emptyMessage: { title: "No tags yet", hint: "Create one for a release: git tag v1.0.0 && git push --tags" },
  row: (tag) => ({
    id: tag.name,
    title: tag.name,
    copy: tag.name,
    route: Revision.log({ ...at, ref: tag.name }),
    arguments: {
      ...Revision.repository(at),
      tag: tag.name,
      ref: `tags/${tag.name}`,
      sha: tag.commit.sha,
      commit_sha: tag.commit.sha
    },
    value: tag,
    cells: () => [StyledLine.line(tag.name), StyledLine.line(shortRef(tag.commit.sha), "id")]
  })
})

/** The screen of `tags.list`. */
export const tags: Screen = {
  id: "tags.list",
  label: "tags",
  entry: entriesOfGroup("tags").find(({ name }) => name === "list"),
  required: ["owner", "repo"],
  title: () => "tags",
  open: (environment, values) => {
    const at = { owner: text(values, "owner"), repo: text(values, "repo") }
    return Source.fromPages(environment, {
      definition: tagTable(at),
      fetch: (forge, { cursor: _cursor, ...options }) => forge.tags.list(at, options).first,
      isNumbered: true,
      perPage: PER_PAGE
    })
  }
}
