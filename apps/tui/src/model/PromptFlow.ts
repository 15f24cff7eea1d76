/** The line of input at the bottom of the screen: filter, find, and code search. All pure. */
import * as Route from "../content/Route.ts"
import * as RevisionArguments from "../screens/code/RevisionArguments.ts"
import * as TextInput from "../text/TextInput.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as ListWindow from "./ListWindow.ts"
import * as QueryInput from "./QueryInput.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

export const open = (state: State.State, purpose: State.Prompt["purpose"]): State.State => {
  const text = purpose === "filter" ? State.position(state).filter : ""
  return { ...state, prompt: { purpose, input: TextInput.make(text), origin: State.savedPosition(state) } }
}

/** Replaces the input. Filters the table, or moves to the first match in the document, while the user types. */
export const withInput = (
  state: State.State,
  external: ExternalState,
  prompt: State.Prompt,
  input: TextInput.TextInput
): State.State => {
  const next = { ...state, prompt: { ...prompt, input } }
  const { text } = input
  switch (prompt.purpose) {
    case "filter":
      return State.withPosition(next, {
        ...State.position(next),
        filter: text,
        ...(text === "" ? { filterRows: 0 } : {}),
        ...ListWindow.start,
        // Without a filter the cursor returns to the earlier row.
        selectedId: text === "" ? Viewport.selectedRow(state, external)?.id : undefined
      })
    case "find": {
      const before = State.withSavedPosition(next, prompt.origin)
      return text === "" ? before : CursorMovement.findNext(before, external, text, 1)
    }
    default:
      return next
  }
}

/** Handles a key other than Enter. */
export const press = (state: State.State, external: ExternalState, prompt: State.Prompt, key: string): State.State => {
  const { input, purpose } = prompt
  if (key === "escape" || (key === "backspace" && input.text === "")) return cancel(state, external, prompt)
  if (purpose === "search" || purpose === "searchAll") {
    if (key === "up" || key === "down") return fromHistory(state, prompt, key === "up" ? 1 : -1)
    if (key === "tab")
      return { ...state, prompt: { ...prompt, input: QueryInput.accept(input, State.repositories(state)) } }
  }
  return withInput(state, external, { ...prompt, historyIndex: undefined }, TextInput.press(input, key))
}

const cancel = (state: State.State, external: ExternalState, prompt: State.Prompt): State.State => ({
  ...withInput(state, external, prompt, TextInput.make()),
  prompt: undefined
})

const fromHistory = (state: State.State, prompt: State.Prompt, step: 1 | -1): State.State => {
  const index = Math.min((prompt.historyIndex ?? -1) + step, state.queryHistory.length - 1)
  const query = index < 0 ? "" : (state.queryHistory[index] ?? "")
  const historyIndex = index < 0 ? undefined : index
  return { ...state, prompt: { ...prompt, historyIndex, input: TextInput.withText(prompt.input, query) } }
}

/**
 * Opens the file or the log of the screen at a branch, tag or commit, or the file of `REVISION:PATH`, as git writes it.
 * An empty text opens the default view.
 */
const openRevision = (state: State.State, text: string): State.State => {
  const { arguments: values, screen } = State.route(state)
  const colon = text.indexOf(":")
  const name = colon < 0 ? text : text.slice(0, colon)
  const at = {
    ...RevisionArguments.repository(RevisionArguments.of(values)),
    ...(name === "" ? {} : { ref: name })
  }
  const isFile = screen === "contents.get" || screen === "readme"
  const to =
    colon >= 0
      ? RevisionArguments.content(at, text.slice(colon + 1))
      : isFile
        ? Route.make(screen, { ...values, line: undefined, find: undefined, ref: at.ref })
        : RevisionArguments.log(at)
  return State.push({ ...state, prompt: undefined }, to)
}

/**
 * Returns the search for the commits whose messages contain all words of a filter; undefined for another list than the
 * log of the default branch, which is the one that the search reads.
 */
export const commitSearch = (
  { arguments: { owner, repo, ...others }, screen }: Route.Route,
  filter: string
): Route.Route | undefined => {
  const isLog = screen === "commits.list" && Object.values(others).every((value) => value === undefined)
  if (!isLog) return undefined
  const words = filter.trim().split(/\s+/)
  const quoted = words.map((word) => `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
  return Route.make("search.code", { q: ["type:commit", ...quoted].join(" "), owner, repo })
}

/** Handles Enter: keeps the filter or match, or opens the results of the search. */
export const submit = (state: State.State, external: ExternalState, prompt: State.Prompt): State.State => {
  const { input, purpose } = prompt
  const { text } = input
  if (purpose === "filter") return { ...state, prompt: undefined }
  // Finds again, because the key has removed the message with the number of matches.
  if (purpose === "find") return { ...withInput(state, external, prompt, input), prompt: undefined }
  if (purpose === "revision") return openRevision(state, text.trim())
  const [problem] = QueryInput.problems(text)
  if (problem !== undefined) return { ...state, message: { text: problem.message, isError: true } }
  const { owner, repo } = State.route(state).arguments
  const here = purpose === "search" && typeof owner === "string" && typeof repo === "string" ? { owner, repo } : {}
  const q = text.trim()
  const queryHistory = QueryInput.remember(state.queryHistory, q)
  return State.push({ ...state, queryHistory, prompt: undefined }, Route.make("search.code", { q, ...here }))
}
