/** Git objects by id: commits, trees and blobs. Each object opens the objects in its content. */
import * as Stream from "effect/Stream"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { GitBlob, GitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import type { Content } from "../../content/Content.ts"
import * as Document from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Syntax from "../../text/Syntax.ts"
import { type Screen, text } from "../Screen.ts"
import * as CommitHeader from "./CommitHeader.ts"
import * as FileDocument from "./FileDocument.ts"
import * as FileText from "./FileText.ts"
import * as Highlighters from "./Highlighters.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** The screen of `gitCommits.get`. */
export const commit: Screen = {
  id: "gitCommits.get",
  label: "commit object",
  entry: entriesOfGroup("gitCommits").find(({ name }) => name === "get"),
  required: ["owner", "repo", "commit_sha"],
  title: (values) => AbbreviatedId.of(text(values, "commit_sha")),
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    return Source.fromEffect(
      environment,
      (forge, options) => forge.gitCommits.get({ ...at, commit_sha: text(values, "commit_sha") }, options),
      (found) =>
        Document.make(
          found.sha,
          (columns) =>
            Document.fromLines([
              ...CommitHeader.lines({ ...found, commit: found }, at, columns),
              {
                line: StyledLine.field("tree", AbbreviatedId.of(found.tree.sha), "link"),
                route: tree(at, found.tree.sha)
              },
              { line: StyledLine.field("changes", "show", "link"), route: RevisionArguments.commit(at, found.sha) }
            ]),
          { webUrl: found.html_url, value: found }
        )
    )
  }
}

const tree = (at: RevisionArguments.Repository, sha: string): Route.Route =>
  Route.make("gitTrees.get", { ...at, tree_sha: sha })

/** Returns the screen of an entry. The commit of a submodule is in another repository. */
const entryRoute = (at: RevisionArguments.Repository, { path, sha, type }: GitTreeEntry): Route.Route | undefined => {
  if (type === "tree") return tree(at, sha)
  return type === "blob" ? Route.make("gitBlobs.get", { ...at, file_sha: sha, path }) : undefined
}

const treeTable = (at: RevisionArguments.Repository): Table.TableDefinition<GitTreeEntry> => ({
  hasHeader: true,
  columns: [
    { header: "MODE", size: "fit", optional: 2 },
    { header: "SHA", size: "fit", optional: 1 },
    { header: "PATH", size: "grow" },
    { header: "SIZE", size: "fit", align: "right", optional: 3 }
  ],
  noun: ["entry", "entries"],
  emptyMessage: { title: "Empty tree", hint: "Press Esc to go back" },
  row: (entry) => ({
    id: entry.path,
    title: entry.path,
    copy: entry.sha,
    route: entryRoute(at, entry),
    arguments: {
      ...at,
      sha: entry.sha,
      ...(entry.type === "blob" ? { file_sha: entry.sha } : { tree_sha: entry.sha })
    },
    value: entry,
    cells: () => [
      StyledLine.line(entry.mode, "muted"),
      StyledLine.line(AbbreviatedId.of(entry.sha), "id"),
      entry.type === "tree" ? StyledLine.line(`${entry.path}/`, "accent") : StyledLine.line(entry.path),
      StyledLine.line(entry.size === undefined ? "" : NumberFormat.bytes(entry.size), "muted")
    ]
  })
})

/** The screen of `gitTrees.get`. */
export const trees: Screen = {
  id: "gitTrees.get",
  label: "tree",
  entry: entriesOfGroup("gitTrees").find(({ name }) => name === "get"),
  required: ["owner", "repo", "tree_sha"],
  title: (values) => AbbreviatedId.of(text(values, "tree_sha")),
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    const definition = treeTable(at)
    const recursive = text(values, "recursive")
    const input = { ...at, tree_sha: text(values, "tree_sha"), ...(recursive === "" ? {} : { recursive }) }
    return Source.fromEffect(
      environment,
      (forge, options) => forge.gitTrees.get(input, options),
      (found) =>
        Table.make(definition, Table.fromRows(found.tree.map(definition.row)), { incompleteResults: found.truncated })
    )
  }
}

const blobContent = (self: GitBlob, path: string, at: RevisionArguments.Repository): Content => {
  const file = { type: "file", path, sha: self.sha, html_url: null, size: self.size ?? 0 }
  const content =
    self.encoding === "base64"
      ? FileText.read({ ...file, encoding: self.encoding, content: self.content })
      : self.content
  if (typeof content !== "string") return content
  const highlighter = Highlighters.of(path)
  const text = highlighter === undefined ? undefined : Syntax.highlightNow(highlighter, content)
  return FileDocument.make({ entry: file, content, text }, at)
}

/**
 * The screen of `gitBlobs.get`. The argument `path` is the name of the file in the tree from which the screen was
 * opened.
 */
export const blobs: Screen = {
  id: "gitBlobs.get",
  label: "blob",
  entry: entriesOfGroup("gitBlobs").find(({ name }) => name === "get"),
  required: ["owner", "repo", "file_sha"],
  title: (values) => PathText.nameOf(text(values, "path")) || AbbreviatedId.of(text(values, "file_sha")),
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    const sha = text(values, "file_sha")
    const path = text(values, "path") || sha
    return Source.fromStream(environment, (forge, options) =>
      Stream.fromEffect(forge.gitBlobs.get({ ...at, file_sha: sha }, options)).pipe(
        Stream.flatMap((found) =>
          Highlighters.emitTwice([path], ResponseAge.age(found), () => blobContent(found, path, at))
        )
      )
    )
  }
}
