/** Runs commands by id. */
import type * as KeyBindings from "../actions/KeyBindings.ts"
import * as Route from "../content/Route.ts"
import * as TextInput from "../text/TextInput.ts"
import * as Changes from "../screens/home/Changes.ts"
import * as Choices from "./Choices.ts"
import type * as CodeCommands from "./CodeCommands.ts"
import type * as CommandQueue from "./CommandQueue.ts"
import * as CursorMovement from "./CursorMovement.ts"
import type * as FileEditing from "./FileEditing.ts"
import * as ListWindow from "./ListWindow.ts"
import type { ModelContext } from "./ModelContext.ts"
import type * as ScreenNavigation from "./ScreenNavigation.ts"
import type * as OperationControl from "./OperationControl.ts"
import * as OperationFlow from "./OperationFlow.ts"
import type * as Palette from "./Palette.ts"
import * as PromptFlow from "./PromptFlow.ts"
import type * as ScreenLoader from "./ScreenLoader.ts"
import type * as SelectionCommands from "./SelectionCommands.ts"
import * as Session from "./Session.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

export interface Commands {
  readonly run: (command: KeyBindings.CommandId) => void
}

export interface Dependencies extends ModelContext {
  readonly queue: CommandQueue.CommandQueue
  readonly loader: ScreenLoader.ScreenLoader
  readonly navigation: ScreenNavigation.Navigation
  readonly selection: SelectionCommands.SelectionCommands
  readonly code: CodeCommands.CodeCommands
  readonly operations: OperationControl.OperationControl
  readonly fileEditing: FileEditing.FileEditing
  /** Saves the search of a screen, or removes a saved search. */
  readonly toggleSearch: (search: Route.Route) => void
  /** Names of the profiles to switch to. */
  readonly profiles: ReadonlyArray<string>
  /** True if the forge is embedded, which can search commits. */
  readonly isEmbedded: boolean
  /** Ends the program. */
  readonly quit: () => void
}

export const make = (dependencies: Dependencies): Commands => {
  const { code, current, fileEditing, isEmbedded, loader, navigation, operations, profiles, queue, quit } = dependencies
  const { seen, selection, showMessage, toggleSearch, update } = dependencies
  const { ifLoaded, whenLoaded } = queue

  const find = (text: string, direction: 1 | -1) =>
    update((now) => CursorMovement.findNext(now, seen(), text, direction))

  const openPrompt = (purpose: State.Prompt["purpose"]) => update((now) => PromptFlow.open(now, purpose))

  const openFilter = () => {
    const content = Viewport.contentOf(seen())
    if (content?._tag === "Notice") return showMessage("Nothing to find here")
    openPrompt(content?._tag === "Document" ? "find" : "filter")
  }

  /** Searches the rows that the filter leaves out: the commits of a log by the search, other lists by loading them. */
  const filterAll = () => {
    const now = current()
    const content = Viewport.contentOf(seen())
    const position = State.position(now)
    if (content?._tag !== "Table" || position.filter === "") return showMessage("No filter here. Press / first")
    if (content.isFullyLoaded) return showMessage("The filter has all rows")
    const search = isEmbedded ? PromptFlow.commitSearch(State.route(now), position.filter) : undefined
    update((now) =>
      search === undefined
        ? State.withPosition(now, { ...position, filterRows: position.filterRows + Viewport.MORE_FILTER_ROWS })
        : State.push(now, search)
    )
  }

  const saveSearch = () => {
    const at = State.route(current())
    if (at.screen === "search.code") toggleSearch(at)
    else showMessage("Only a code search can be saved. Press s to search")
  }

  const openRevision = () => {
    const { owner, repo } = Choices.knownArguments(current(), seen())
    if (owner === undefined || repo === undefined) return showMessage("Open a repository first")
    openPrompt("revision")
  }

  const openPalette = (title: string, items: ReadonlyArray<Palette.Item>) =>
    update((now) => ({
      ...now,
      overlay: { _tag: "Palette", title, items, input: TextInput.make(), window: ListWindow.start }
    }))

  const openActions = () => {
    const items = Choices.actions(current(), seen())
    if (items.length === 0) return showMessage("This screen has no actions")
    openPalette("Actions", items)
  }

  const moveSplit = (step: number) =>
    update((now) => ({ ...now, split: Math.max(Session.MIN_SPLIT, Math.min(Session.MAX_SPLIT, now.split + step)) }))

  const move = (command: KeyBindings.CommandId) => update((now) => CursorMovement.move(now, seen(), command))

  const goToEnd = () => {
    const content = Viewport.contentOf(seen())
    const { filter } = State.position(current())
    if (content?._tag !== "Table" || content.isCounted || filter !== "" || current().isPaneFocused)
      return update((now) => CursorMovement.move(now, seen(), "bottom"))
    const at = Route.id(State.route(current()))
    showMessage("Loading the end")
    loader.loadEnd((last) => {
      if (Route.id(State.route(current())) !== at) return
      update((now) => ({ ...CursorMovement.moveTo(now, seen(), last), message: undefined }))
    })
  }

  const run = (command: KeyBindings.CommandId): void => {
    switch (command) {
      case "quit":
        return quit()
      case "help":
        return update((now) => ({ ...now, overlay: { _tag: "Help", top: 0 } }))
      case "open":
        return whenLoaded(navigation.open)
      case "back":
        return navigation.back()
      case "historyBack":
        return update(State.historyBack)
      case "historyForward":
        return update(State.historyForward)
      case "nextTab":
        return navigation.changeTab(1)
      case "previousTab":
        return navigation.changeTab(-1)
      case "tab1":
      case "tab2":
      case "tab3":
      case "tab4":
      case "tab5":
      case "tab6":
      case "tab7":
      case "tab8":
      case "tab9":
        return navigation.goToTab(Number(command.at(-1)) - 1)
      case "home":
        return update((now) => State.push(now, Route.make("home")))
      case "limits":
        return update((now) => State.push(now, Route.make("limits")))
      case "palette":
        return openPalette("Go to", Choices.all(current(), seen(), profiles))
      case "revision":
        return openRevision()
      case "compare":
        return whenLoaded(navigation.compare)
      case "changes":
        return update((now) => State.push(now, Changes.route(now.lastLook)))
      case "switchView":
        return whenLoaded(navigation.switchView)
      case "fileHistory":
      case "functionHistory":
      case "blame":
      case "blameBack":
      case "blameForward":
      case "definition":
      case "references":
      case "card":
        return whenLoaded(code[command])
      case "filter":
        return whenLoaded(openFilter, true)
      case "filterAll":
        return whenLoaded(filterAll)
      case "search":
        return openPrompt("search")
      case "searchAll":
        return openPrompt("searchAll")
      case "saveSearch":
        return saveSearch()
      case "next":
      case "previous": {
        const { findText } = State.position(current())
        if (findText === "") return showMessage("Nothing to find. Press / first")
        return whenLoaded(() => find(findText, command === "next" ? 1 : -1))
      }
      case "focusPane":
        return update((now) =>
          Viewport.split(now, Viewport.contentOf(seen())).side === undefined
            ? { ...now, message: { text: "No pane here. Panes need a wider terminal", isError: false } }
            : { ...now, isPaneFocused: !now.isPaneFocused }
        )
      case "togglePane":
        return update((now) => ({ ...now, isPaneShown: !now.isPaneShown, isPaneFocused: false }))
      case "wrap":
        return update((now) => ({
          ...now,
          isWrapped: !now.isWrapped,
          message: { text: now.isWrapped ? "Long lines scroll sideways" : "Long lines wrap", isError: false }
        }))
      case "widenPane":
        return moveSplit(0.05)
      case "narrowPane":
        return moveSplit(-0.05)
      case "actions":
        return ifLoaded(openActions)
      case "modify":
        return ifLoaded(() => {
          const hasOperation = OperationFlow.actions(current(), seen()).some((action) => action.command === command)
          if (hasOperation || !fileEditing.start()) operations.startCommand(command)
        })
      case "create":
      case "delete":
      case "trigger":
        return ifLoaded(() => operations.startCommand(command))
      case "undo":
        return operations.undo()
      case "mark":
        return whenLoaded(selection.mark)
      case "markAll":
        return whenLoaded(selection.markAll)
      case "nextSection":
        return whenLoaded(() => navigation.changePeriod(1) || move(command))
      case "previousSection":
        return whenLoaded(() => navigation.changePeriod(-1) || move(command))
      case "refresh":
        return loader.refresh(false)
      case "copy":
        return whenLoaded(selection.openCopyMenu)
      case "browse":
        return whenLoaded(selection.browseSelected)
      case "edit":
        return whenLoaded(selection.editContent)
      case "bottom":
        return whenLoaded(goToEnd)
      default:
        return whenLoaded(() => move(command))
    }
  }

  return { run }
}
