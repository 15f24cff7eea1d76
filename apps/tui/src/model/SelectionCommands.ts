/** Commands on the selected row or line, and on the text of the screen: copy, browse, edit and mark. */
import * as CopyChoices from "./CopyChoices.ts"
import * as CursorMovement from "./CursorMovement.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import * as ListWindow from "./ListWindow.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as SelectedFile from "./SelectedFile.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** Width in columns of texts for the editor: wide enough that no line is wrapped. */
const MAX_EDIT_COLUMNS = 10_000

export interface SelectionCommands {
  /** Opens the choice of texts to copy. */
  readonly openCopyMenu: () => void
  readonly copyText: (text: string) => void
  readonly browseSelected: () => void
  /** Opens a web page. */
  readonly browseUrl: (text: string) => void
  /** Opens the file of the work tree at the selected line in the editor, or else a copy of the text of the screen. */
  readonly editContent: () => void
  /** Marks the selected row, or removes the mark. */
  readonly mark: () => void
  /** Marks all rows, or removes all marks. */
  readonly markAll: () => void
}

export interface Dependencies extends ModelContext {
  /** Sends text to the clipboard. */
  readonly copy: (text: string) => void
  /** Opens a web page. */
  readonly browse: (url: URL) => void
  readonly editor: ExternalEditor.Editor | undefined
  /** True if the forge is embedded, which has no web pages. */
  readonly isEmbedded: boolean
  /** The folders of the work trees by the full name of their repository. */
  readonly workTrees: ReadonlyMap<string, string> | undefined
  /** Loads the visible screen again. */
  readonly refresh: (isQuiet: boolean) => void
}

export const make = (dependencies: Dependencies): SelectionCommands => {
  const { browse, copy, current, editor, hasExited, isEmbedded, refresh, seen, showMessage, update, workTrees } =
    dependencies

  const openCopyMenu = () => {
    const items = CopyChoices.make(current(), seen())
    if (items.length === 0) return showMessage("Nothing to copy")
    update((now) => ({
      ...now,
      overlay: { _tag: "Palette", title: "Copy", items, input: undefined, window: ListWindow.start }
    }))
  }

  const copyText = (text: string) => {
    copy(text)
    // The terminal does not confirm the copy, so the message contains the text, which the user can copy by hand.
    return showMessage(`${text} sent to the clipboard`)
  }

  const browseUrl = (text: string) => {
    const url = URL.parse(text)
    if (url?.protocol !== "https:" && url?.protocol !== "http:") return showMessage("This is not a web page")
    browse(url)
    return showMessage(`Opening ${url.href}`)
  }

  const browseSelected = () => {
    const now = current()
    const external = seen()
    const content = Viewport.contentOf(external)
    const line = Viewport.selectedLine(now, external)
    if (line?.url !== undefined) return browseUrl(line.url)
    if (isEmbedded) return showMessage("The embedded forge has no web pages. Try tongs explore")
    const url = content?._tag === "Table" ? Viewport.selectedRow(now, external)?.webUrl : content?.webUrl
    return typeof url === "string" ? browseUrl(url) : showMessage("This item has no web page")
  }

  const editContent = () => {
    const now = current()
    const external = seen()
    const file = SelectedFile.of(now, external)
    const folder =
      file === undefined || file.ref !== undefined ? undefined : workTrees?.get(`${file.owner}/${file.repo}`)
    const content = Viewport.contentOf(external)
    if (content?._tag !== "Document" && folder === undefined)
      return showMessage("Only texts, and files of a work tree, can be opened in the editor")
    if (editor === undefined) return showMessage("Set EDITOR to open texts in an editor")
    if (file !== undefined && folder !== undefined) return void openFile(editor, folder, file)
    if (content?._tag !== "Document") return
    const layout = content.layout(MAX_EDIT_COLUMNS)
    const isFile = State.route(now).screen === "contents.get"
    const lines = Array.from({ length: layout.length }, (_, index) => {
      const { copy: text, line } = layout.lineAt(index, external.now)
      return isFile ? (text ?? "") : line.map((span) => span.text).join("")
    })
    return void showText(editor, content.id, `${lines.join("\n")}\n`, isFile ? file?.line : undefined)
  }

  /** Opens a file of the work tree, which the user may change. */
  const openFile = async (editor: ExternalEditor.Editor, folder: string, { line, path }: SelectedFile.SelectedFile) => {
    const problem = await editor.openFile(folder, path, line)
    if (hasExited()) return
    if (problem !== undefined) showMessage(problem, true)
    refresh(true)
  }

  /** Opens a copy of a text in the editor for reading. */
  const showText = async (editor: ExternalEditor.Editor, name: string, text: string, line: number | undefined) => {
    const outcome = await editor.edit(name, text, line)
    if (hasExited()) return
    if (outcome._tag === "Failed") return showMessage(outcome.message, true)
    const key = line === undefined ? undefined : seen().keys.keyOf("modify")
    const hint = key === undefined ? "" : `. ${key} edits and commits the file`
    showMessage(`This was a copy: changes in the editor are not saved${hint}`)
  }

  const mark = () =>
    update((now) => {
      const external = seen()
      const row = Viewport.selectedRow(now, external)
      if (row === undefined) return { ...now, message: { text: "Only rows of lists can be marked", isError: false } }
      const position = State.position(now)
      const marked = new Set(position.marked)
      if (!marked.delete(row.id)) marked.add(row.id)
      return CursorMovement.move(State.withPosition(now, { ...position, marked }), external, "down")
    })

  const markAll = () =>
    update((now) => {
      const external = seen()
      const content = Viewport.contentOf(external)
      if (content?._tag !== "Table") return now
      const rows = Viewport.visibleRows(now, external, content)
      const ids = Array.from({ length: rows.count }, (_, index) => rows.at(index)?.id).filter((id) => id !== undefined)
      const position = State.position(now)
      const areAllMarked = ids.every((id) => position.marked.has(id))
      return State.withPosition(now, { ...position, marked: new Set(areAllMarked ? [] : ids) })
    })

  return { openCopyMenu, copyText, browseSelected, browseUrl, editContent, mark, markAll }
}
