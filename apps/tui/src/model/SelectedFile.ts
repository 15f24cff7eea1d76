/** The file that commands on files mean: the file of the screen, or of the selected row or line. */
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Route from "../content/Route.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** A file of a repository. Without `ref`, the file is in the work tree, or at the default branch. */
export interface SelectedFile {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly ref: string | undefined
  /** The selected line, from 1. */
  readonly line: number | undefined
}

/** The screen of a file or folder. */
const CONTENTS = "contents.get"

/** Returns the file of the screen, or the file that the selected row or line opens; undefined without a file. */
export const of = (state: State.State, external: ExternalState): SelectedFile | undefined => {
  const route = State.route(state)
  const content = Viewport.contentOf(external)
  if (route.screen === CONTENTS && content !== undefined && content._tag !== "Table")
    return fileOf(route, content._tag === "Document" ? Viewport.windowOf(state, external).cursor + 1 : undefined)
  const row = Viewport.selectedRow(state, external)
  const isFile = !Presentation.isRow(row?.value) || row.value.type === undefined || row.value.type === "file"
  const selected = Viewport.selectedLine(state, external)
  // A line of a text, such as a readme, can link to another file than that of the line.
  const isOfFile = selected?.route?.arguments.path === selected?.arguments?.path
  const to = row?.route ?? (isOfFile ? selected?.route : undefined)
  const line = Number(to?.arguments.line)
  return to?.screen === CONTENTS && isFile ? fileOf(to, line > 0 ? line : undefined) : undefined
}

const fileOf = (route: Route.Route, line: number | undefined): SelectedFile | undefined => {
  const [owner, repo, path] = ["owner", "repo", "path"].map((name) => Route.text(route, name))
  if (owner === undefined || repo === undefined || path === undefined || path === "") return undefined
  return { owner, repo, path, ref: Route.text(route, "ref"), line }
}
