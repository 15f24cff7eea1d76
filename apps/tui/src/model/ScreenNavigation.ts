/** Moves between screens: opens screens, goes back, and changes tabs and periods. */
import type * as Form from "../actions/Form.ts"
import * as Route from "../content/Route.ts"
import * as Places from "../screens/Places.ts"
import * as RevisionArguments from "../screens/code/RevisionArguments.ts"
import * as FileView from "../screens/code/FileView.ts"
import * as Registry from "../screens/Registry.ts"
import type * as ModelAtoms from "./ModelAtoms.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

/** Opens screens. */
export interface Navigation {
  /** Opens the selected row or line. */
  readonly open: () => void
  /** Opens a screen, or first the screen's form. */
  readonly openRoute: (to: Route.Route) => void
  /** Opens the form of a screen. */
  readonly openForm: (form: Form.Form | undefined) => void
  /** Opens a screen with the values of the form. Omits defaults, which the screen computes again later. */
  readonly openScreen: (id: string, input: Route.Arguments) => void
  /** Goes back to a screen in the header, or changes to a tab. */
  readonly openClicked: (to: Route.Route) => void
  /** Clears the filter or the marks of the screen, or goes back to the previous screen. */
  readonly back: () => void
  readonly changeTab: (step: number) => void
  readonly goToTab: (index: number) => void
  /** Changes the period of the visible screen. Returns false on a screen without a period. */
  readonly changePeriod: (step: 1 | -1) => boolean
  /** Compares the two marked rows, or the selected item with the default branch. */
  readonly compare: () => void
  /** Changes between the files of the work tree and those of the last commit. */
  readonly switchView: () => void
}

export interface Dependencies extends ModelContext, Pick<ModelAtoms.ModelAtoms, "placeholders"> {
  /** Opens a web page. */
  readonly browseUrl: (text: string) => void
}

/** Creates the functions that open screens. */
export const make = (dependencies: Dependencies): Navigation => {
  const { browseUrl, current, placeholders, seen, showMessage, update } = dependencies

  const open = () => {
    const external = seen()
    const now = current()
    if (now.isPaneFocused && Viewport.contentOf(external)?._tag === "Document")
      return update((now) => ({ ...now, isPaneFocused: false }))
    const line = now.isPaneFocused ? paneLine(now, external) : Viewport.selectedLine(now, external)
    const row = now.isPaneFocused ? undefined : Viewport.selectedRow(now, external)
    const to = line?.route ?? row?.route
    if (to === undefined) {
      if (line?.url !== undefined) return browseUrl(line.url)
      return showMessage("Nothing to open here")
    }
    const preview = row?.preview?.()
    if (preview !== undefined) placeholders.set(Route.id(to), preview)
    for (const oldest of placeholders.keys()) if (placeholders.size > 20) placeholders.delete(oldest)
    return openRoute(to)
  }

  const openRoute = (to: Route.Route) => {
    const form = Registry.find(to.screen)?.form?.(to.arguments)
    return form === undefined ? update((now) => State.push(now, to)) : openForm(form)
  }

  const openForm = (form: Form.Form | undefined) => {
    if (form !== undefined) update((now) => ({ ...now, overlay: { _tag: "ScreenForm", form, entry: form.entry } }))
  }

  const openScreen = (id: string, input: Route.Arguments) => {
    const defaults = Registry.find(id)?.defaults?.(seen().now) ?? {}
    const values = Object.fromEntries(Object.entries(input).filter(([name, value]) => defaults[name] !== value))
    update((now) => State.push({ ...now, overlay: undefined }, Route.make(id, values)))
  }

  const openClicked = (to: Route.Route) =>
    update((now) => {
      const index = now.routes.findIndex((route) => Route.id(route) === Route.id(to))
      const [first, ...rest] = now.routes
      return index < 0 ? State.replace(now, to) : State.withRoutes(now, [first, ...rest.slice(0, index)])
    })

  const back = () =>
    update((now) => {
      const position = State.position(now)
      if (now.isPaneFocused) return { ...now, isPaneFocused: false }
      if (position.filter !== "") return State.withPosition(now, { ...position, filter: "", filterRows: 0 })
      if (position.findText !== "") return State.withPosition(now, { ...position, findText: "" })
      if (position.marked.size > 0) return State.withPosition(now, { ...position, marked: new Set() })
      if (now.routes.length > 1) return State.pop(now)
      return { ...now, message: { text: "This is the first screen. Press q to quit", isError: false } }
    })

  const changeTab = (step: number) =>
    update((now) => {
      const bar = Viewport.tabBar(now)
      return bar === undefined ? now : State.replace(now, Places.adjacent(bar, step))
    })

  const goToTab = (index: number) =>
    update((now) => {
      const bar = Viewport.tabBar(now)
      const screen = bar?.tabs[index]?.screens[0]?.screen
      return bar === undefined || screen === undefined ? now : State.replace(now, bar.route(screen))
    })

  const changePeriod = (step: 1 | -1): boolean => {
    const { arguments: values, screen: id } = State.route(current())
    const screen = Registry.find(id)
    if (screen?.changePeriod === undefined) return false
    const changed = screen.changePeriod(values, step, seen().now)
    if (changed === undefined) showMessage(step === 1 ? "This is the last period" : "This is the first period")
    else update((now) => State.replace(now, Route.make(id, changed)))
    return true
  }

  const switchView = () => {
    if (seen().load.view === undefined) return showMessage("No work tree here. Open the files of a local repository")
    return update((now) => {
      const { arguments: values, screen } = State.route(now)
      const ref = values.ref === undefined ? FileView.COMMITTED : undefined
      // The cursor stays on the same line of a file.
      return State.withPosition(State.replace(now, Route.make(screen, { ...values, ref })), State.position(now))
    })
  }

  const compare = () => {
    const now = current()
    const external = seen()
    const content = Viewport.contentOf(external)
    const { arguments: values, screen } = State.route(now)
    const known = { ...values, ...Viewport.selectedRow(now, external)?.arguments }
    const at = RevisionArguments.of(known)
    const { marked } = State.position(now)
    const rows = content?._tag === "Table" ? [...marked].map((id) => content.rows.indexOf(id)) : []
    // The lower row of a log is the older commit, and lists of branches begin with the default branch.
    const names = rows
      .toSorted((a, b) => (screen === "commits.list" ? b - a : a - b))
      .flatMap((index) => {
        const { branch, sha, tag } = (content?._tag === "Table" ? content.rows.at(index)?.arguments : undefined) ?? {}
        const name = branch ?? tag ?? sha
        return typeof name === "string" ? [name] : []
      })
    const [first, second] = names
    if (marked.size > 0) {
      if (names.length !== 2 || first === undefined || second === undefined)
        return showMessage("Mark two branches, tags or commits to compare")
      return openRoute(RevisionArguments.compare(at, first, second))
    }
    const { basehead, sha } = known
    if (typeof basehead === "string")
      return openRoute(Route.make("commits.compare", { ...RevisionArguments.repository(at), basehead }))
    if (typeof sha === "string" && Viewport.selectedRow(now, external) !== undefined)
      return openRoute(RevisionArguments.compare(at, sha, "HEAD"))
    return showMessage("Mark two branches, tags or commits to compare")
  }

  return {
    open,
    compare,
    openRoute,
    openForm,
    openScreen,
    openClicked,
    back,
    changeTab,
    goToTab,
    changePeriod,
    switchView
  }
}

/** Returns the selected line of the pane. */
const paneLine = (now: State.State, external: Viewport.ExternalState) => {
  const document = Viewport.paneDocument(now, external)
  const { paneColumns } = Viewport.split(now, Viewport.contentOf(external))
  const layout = document?.layout(Viewport.contentColumns(paneColumns))
  if (layout === undefined) return undefined
  const { cursor } = Viewport.paneWindow(now, layout, Viewport.bodyRows(now))
  return cursor >= layout.length ? undefined : layout.lineAt(cursor, external.now)
}
