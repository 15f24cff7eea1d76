/** Commands on the code of the visible screen: history, blame, definition and uses of a name. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { CodeFile, FileRevision } from "../content/CodeFile.ts"
import * as Route from "../content/Route.ts"
import { type LoadOptions, loadOptions, type Services } from "../content/Source.ts"
import * as NamePosition from "../screens/code/NamePosition.ts"
import * as OlderLine from "../screens/code/OlderLine.ts"
import * as RevisionArguments from "../screens/code/RevisionArguments.ts"
import * as Choices from "./Choices.ts"
import * as FailureMessage from "./FailureMessage.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"

export interface CodeCommands {
  /** Opens the commits that changed the selected file or folder, or the file of the screen. */
  readonly fileHistory: () => void
  /** Opens the commits that changed the function around the cursor. */
  readonly functionHistory: () => void
  /** Shows or hides the last commit of each line. */
  readonly blame: () => void
  /** Opens the file before the commit that last changed the line. */
  readonly blameBack: () => void
  /** Opens the file again from which `blameBack` was run. */
  readonly blameForward: () => void
  /** Opens the definition of the selected name, or the list of its possible definitions. */
  readonly definition: () => void
  /** Opens the uses of the selected name. */
  readonly references: () => void
  /** Opens a window with the definition of the selected name. */
  readonly card: () => void
}

export interface Dependencies extends ModelContext {
  readonly services: Services
}

/** Milliseconds of a lookup after which the status line names it. */
const SLOW_AFTER = 300

const NO_FILE = "Open a text file first"

/** Creates the commands. */
export const make = ({ current, hasExited, seen, services, showMessage, update }: Dependencies): CodeCommands => {
  const fork = Effect.runForkWith(services)
  let lookup: Fiber.Fiber<unknown> | undefined

  /** Identifies the screen, the line and the selected column of the cursor. */
  const position = () => {
    const now = current()
    const isFree = now.overlay === undefined && now.prompt === undefined
    const { cursor } = Viewport.windowOf(now, seen())
    // The first name of a line can change when the grammar has loaded.
    return isFree ? `${Route.id(State.route(now))} ${cursor} ${State.position(now).column ?? ""}` : undefined
  }

  /** Sends requests, then calls `show` unless the user has moved on. Cancels the previous lookup. */
  const look = <A>(
    doing: string,
    request: (forge: Forge["Service"], options: LoadOptions) => Effect.Effect<A, Failure>,
    show: (found: A) => void
  ) => {
    const from = position()
    const waiting = `${doing} …`
    const ifCurrent = (run: () => void) => Effect.sync(() => (!hasExited() && position() === from ? run() : undefined))
    const slow = Effect.andThen(
      Effect.sleep(SLOW_AFTER),
      ifCurrent(() => showMessage(waiting))
    )
    if (lookup !== undefined) Effect.runFork(Fiber.interrupt(lookup))
    lookup = fork(
      Effect.gen(function* () {
        const forge = yield* Forge
        yield* Effect.forkScoped(slow)
        return yield* request(forge, loadOptions(false))
      }).pipe(
        Effect.scoped,
        Effect.matchEffect({
          onFailure: (failure) =>
            ifCurrent(() => {
              const { hint, title } = FailureMessage.of(failure)
              showMessage(`${title}: ${hint}`, true)
            }),
          onSuccess: (found) =>
            ifCurrent(() => {
              update((now) => (now.message?.text === waiting ? { ...now, message: undefined } : now))
              show(found)
            })
        })
      )
    )
  }

  const fileHistory = () => {
    const values = Choices.knownArguments(current(), seen())
    const { path } = values
    if (typeof path !== "string" || path === "") return showMessage("Select a file or a folder to see its history")
    return update((now) => State.push(now, RevisionArguments.history(RevisionArguments.of(values), path)))
  }

  /** Runs a command on the file of the screen, at the index of the line of the cursor. */
  const inFile = (run: (file: CodeFile, index: number) => void) => () => {
    const file = Viewport.codeOf(seen())
    if (file === undefined) return showMessage(NO_FILE)
    return run(file, Viewport.windowOf(current(), seen()).cursor)
  }

  /** Returns the revision of the screen; undefined for the default. */
  const shownRef = () => RevisionArguments.of(State.route(current()).arguments).ref

  const functionHistory = inFile((file, index) => {
    const { owner, path, ref, repo } = file
    return look(
      "Looking for the function",
      (forge, options) =>
        forge.codeNavigation.getOutline({ owner, repo, path, ...RevisionArguments.atRef(file) }, options),
      ({ symbols }) => {
        const symbol = functionAt(symbols, index + 1)
        if (symbol === undefined) return showMessage("No function around this line is known")
        // Line numbers of uncommitted text are those of the snapshot.
        const at = { owner, repo, ref: file.snapshot === undefined ? shownRef() : ref }
        const lines = `${symbol.line},${symbol.end_line ?? symbol.line}`
        return update((now) => State.push(now, RevisionArguments.history(at, path, { lines, name: symbol.name })))
      }
    )
  })

  const blame = inFile(() => {
    const now = current()
    const external = seen()
    const content = Viewport.contentOf(external)
    if (content?._tag !== "Document") return
    const { mainColumns } = Viewport.split(now, content)
    if (content.marginColumns !== undefined) {
      const isShown = Viewport.marginColumns(now, content, mainColumns) > 0
      return update((now) => ({ ...now, isMarginShown: !isShown }))
    }
    update((now) => ({ ...now, isMarginShown: true }))
    // The status line has a spinner.
    if (external.load.isLoading) return
    const { arguments: values } = State.route(now)
    // A remote forge gives the blame only to its own screen.
    return update((now) =>
      State.withPosition(State.replace(now, Route.make("history.getBlame", values)), State.position(now))
    )
  })

  const blameBack = inFile((file, index) => {
    const range = file.blameAt(index)
    if (range === undefined)
      return showMessage(
        seen().load.isLoading ? "The blame is not loaded yet" : "The last commit of this line is not known. Press b"
      )
    const { previous } = range
    if (previous === undefined) {
      const at = { owner: file.owner, repo: file.repo, commit_sha: range.commit }
      return look(
        "Reading the commit",
        (forge, options) => forge.gitCommits.get(at, options),
        ({ parents }) =>
          showMessage(
            parents.length === 0
              ? `${nameOf(range)} is the first commit: there is no version before it`
              : `${nameOf(range)} added ${range.path ?? file.path}: it did not exist before`
          )
      )
    }
    return look(
      "Reading the version before",
      (forge, options) => OlderLine.find(forge, file, range, index + 1 - range.from, options),
      (line) =>
        update((now) => {
          const from = State.route(now)
          const { arguments: values } = RevisionArguments.content(
            { owner: file.owner, repo: file.repo, ref: previous.commit },
            previous.path,
            { line }
          )
          const to = Route.make(from.screen, values)
          const before = range.commit === file.snapshot ? "the uncommitted changes" : nameOf(range)
          return {
            ...State.replaceAtStart(now, to),
            newerFiles: new Map(now.newerFiles).set(Route.id(to), from),
            isMarginShown: true,
            message: { text: `${AbbreviatedId.of(previous.commit)}, before ${before}`, isError: false }
          }
        })
    )
  })

  const blameForward = inFile(() =>
    update((now) => {
      const newer = now.newerFiles.get(Route.id(State.route(now)))
      if (newer !== undefined) return State.replace(now, newer)
      return { ...now, message: { text: "The walk back in time began here", isError: false } }
    })
  )

  /** Runs a command on the selected name. */
  const onName = (run: (name: NamePosition.NamePosition, text: FileRevision) => void) => () => {
    if (Viewport.where(current(), seen()) === undefined) return showMessage(NO_FILE)
    const line = Viewport.selectedLine(current(), seen())?.names
    const name = Viewport.selectedName(current(), seen())
    if (line === undefined || name === undefined) return showMessage("No name in this line")
    const { owner, ref, repo } = line.shown ?? RevisionArguments.of(State.route(current()).arguments)
    const at = { owner, repo, ref, path: line.text.path, line: line.line }
    return run({ ...at, name: name.text, column: name.start }, line.text)
  }

  const definition = onName((name, text) =>
    look(
      `Looking up ${name.name}`,
      (forge, options) => NamePosition.findDefinitions(forge, name, text.ref, options),
      ({ incompleteResults, items }) => {
        const target = NamePosition.target(items)
        const [first] = items
        if (first === undefined) return showMessage(noDefinition(name.name, incompleteResults))
        update((now) => {
          if (target === undefined) return State.push(now, NamePosition.definitions(name))
          const isHere = NamePosition.isDefinedAt(target, name)
          return State.push(now, isHere ? NamePosition.uses(name) : NamePosition.location(target, name))
        })
        if (target !== undefined && incompleteResults) showMessage("Not everything was searched: there may be others")
      }
    )
  )

  const references = onName((name) => update((now) => State.push(now, NamePosition.uses(name))))

  const card = onName((name, text) =>
    look(
      `Looking up ${name.name}`,
      (forge, options) =>
        Effect.all(
          [
            NamePosition.findDefinitions(forge, name, text.ref, options),
            NamePosition.countUses(forge, name, text.ref, options)
          ],
          { concurrency: 2 }
        ),
      ([{ incompleteResults, items }, uses]) => {
        const [first, ...others] = items
        if (first === undefined) return showMessage(noDefinition(name.name, incompleteResults))
        return update((now) => ({
          ...now,
          overlay: {
            _tag: "Card",
            top: 0,
            card: { name, definition: first, others, uses, isIncomplete: incompleteResults }
          }
        }))
      }
    )
  )

  return { fileHistory, functionHistory, blame, blameBack, blameForward, definition, references, card }
}

const nameOf = ({ commit, summary }: BlameRange): string => `${AbbreviatedId.of(commit)} ${summary}`.trim()

const noDefinition = (name: string, isIncomplete: boolean): string =>
  `No definition of ${name}${isIncomplete ? " so far: the search ran out of time, or indexing is not complete" : ""}`

const functions: ReadonlySet<string> = new Set(["function", "method", "macro"])

/** Returns the innermost function around a line, or else the innermost definition. */
const functionAt = (symbols: ReadonlyArray<CodeSymbol>, line: number): CodeSymbol | undefined => {
  const around = symbols.filter((symbol) => symbol.line <= line && line <= (symbol.end_line ?? symbol.line))
  return around.findLast(({ kind }) => functions.has(kind)) ?? around.at(-1)
}
