/** The uncommitted changes of a local work tree: the first row of the log, and their diff. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Commit } from "@tongs/core/contract/groups/Commits"
import type { WorkTree } from "@tongs/core/contract/groups/WorkTrees"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Content } from "../../content/Content.ts"
import * as Document from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import type { Row } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as ChangeCounts from "./ChangeCounts.ts"
import * as FileDiffs from "./FileDiffs.ts"
import * as Highlighters from "./Highlighters.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const ID = "uncommitted"

const routeOf = (at: RevisionArguments.Repository, path?: string) =>
  Route.make(ID, { ...RevisionArguments.repository(at), path })

/** Returns the row above the commits: none for a work tree without changes, and for a remote forge, without a request. */
export const rows = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  at: RevisionArguments.Repository,
  { priority, timeout }: Source.LoadOptions
): Effect.fn.Return<ReadonlyArray<Row>, Failure, Connection> {
  if ((yield* Connection).searchesWorkTrees !== true) return []
  const tree = yield* forge.workTrees.get(RevisionArguments.repository(at), { priority, timeout })
  return tree.available && tree.changed_files > 0 ? [row(tree, at)] : []
})

const titleOf = ({ changed_files: count }: WorkTree): string =>
  `${NumberFormat.quantity(count, "uncommitted change")} in the work tree`

const row = (tree: WorkTree, at: RevisionArguments.Repository): Row => ({
  id: ID,
  title: titleOf(tree),
  copy: tree.files.map(({ path }) => path).join("\n"),
  route: routeOf(at),
  arguments: { ...RevisionArguments.repository(at) },
  value: tree,
  cells: () => [StyledLine.empty, StyledLine.line(titleOf(tree), "warning"), StyledLine.empty, StyledLine.empty]
})

const clean: Content = {
  _tag: "Notice",
  id: ID,
  title: "No uncommitted changes",
  hint: "The files on disk are those of the last commit. Press r to read them again, or Esc to go back"
}

/** Creates the document of the changes. `commit` is the snapshot of the work tree. Starts at the file `path`. */
const document = (tree: WorkTree, commit: Commit, at: RevisionArguments.Repository, path: string) => {
  const { files = [] } = commit
  const missing = tree.changed_files - files.length
  const changes: FileDiffs.FileDiffs = {
    files,
    // Lines open the files on disk.
    head: at,
    snapshot: tree.commit,
    base: tree.head === null ? undefined : { ...at, ref: tree.head },
    fileRoute: (path) => routeOf(at, path),
    highlighterOf: Highlighters.of,
    note: missing > 0 ? `and ${NumberFormat.quantity(missing, "more file")}` : undefined
  }
  const counts = ChangeCounts.line(
    files.reduce((sum, { additions }) => sum + additions, 0),
    files.reduce((sum, { deletions }) => sum + deletions, 0)
  )
  return Document.make(
    ID,
    (columns) => {
      const wrapped = (text: string, role: StyledLine.Role) =>
        StyledLine.wrap(text, columns).map((text) => ({ line: StyledLine.line(text, role) }))
      const head = [
        ...wrapped(`${titleOf(tree)}${tree.branch === null ? "" : ` of ${tree.branch}`}`, "title"),
        ...tree.notes.flatMap((note) => wrapped(note, "muted")),
        { line: StyledLine.empty },
        { line: [StyledLine.span(`${NumberFormat.quantity(files.length, "file")} changed  `), ...counts] }
      ]
      return FileDiffs.layout(changes, head, columns, path === "" ? undefined : path)
    },
    { value: tree, isDiff: true }
  )
}

/** The screen of the uncommitted changes. The argument `path` is the file to start at. */
export const screen: Screen = {
  id: ID,
  label: "uncommitted changes",
  required: ["owner", "repo"],
  title: () => "uncommitted changes",
  open: (environment, values) => {
    const at = RevisionArguments.repository(RevisionArguments.of(values))
    return Source.fromStream(environment, (forge, { priority, timeout }) =>
      Stream.fromEffect(
        Effect.gen(function* () {
          const tree = yield* forge.workTrees.get(at, { priority, timeout })
          const isClean = !tree.available || tree.changed_files === 0
          // The snapshot's parent is the commit that is checked out.
          return {
            tree,
            commit: isClean ? undefined : yield* forge.commits.get({ ...at, ref: tree.commit }, { priority, timeout })
          }
        })
      ).pipe(
        Stream.flatMap(({ commit, tree }): Stream.Stream<Source.Loaded> =>
          commit === undefined
            ? Stream.succeed({ content: clean, age: 0 })
            : Highlighters.emitTwice(
                (commit.files ?? []).map(({ filename }) => filename),
                0,
                () => document(tree, commit, at, text(values, "path"))
              )
        )
      )
    )
  }
}
