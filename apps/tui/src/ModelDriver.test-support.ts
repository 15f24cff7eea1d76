/** Drives the model in tests: presses keys by name, and waits until words are on the screen. */
import { stripVTControlCharacters } from "node:util"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import * as TestClock from "effect/testing/TestClock"
import * as FakeForge from "./FakeForge.test-support.ts"
import * as StyledLine from "./text/StyledLine.ts"
import * as Model from "./model/Model.ts"
import type { View } from "./model/View.ts"
import * as InkRenderer from "./views/InkRenderer.tsx"
import * as ScreenRows from "./views/ScreenRows.ts"
import * as Theme from "./views/Theme.ts"

/** Maximum time that a test waits for words on the screen; long enough for a busy machine. */
export const TIMEOUT: Duration.Input = "40 seconds"

/** Settings of the model, and the responses of the fake forge. */
export interface Options
  extends FakeForge.Options, Partial<Pick<Model.Options, "keys" | "isReadOnly" | "profiles" | "session" | "editor">> {}

/** Starts the model on a fake forge. */
export const start = Effect.fnUntraced(function* (options: Options = {}, columns = 80, rows = 24) {
  const services = Context.add(yield* Layer.build(FakeForge.layer(options)), Clock.Clock, yield* Clock.Clock)
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const now = yield* Clock.currentTimeMillis
  const exits: Array<string> = []
  const copied: Array<string> = []
  const browsed: Array<string> = []
  const model = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Model.make({
        registry,
        services,
        ...settingsOf(options, now),
        onExit: (reason) => exits.push(reason._tag),
        copy: (text) => copied.push(text),
        browse: (url) => browsed.push(url.href)
      })
    ),
    (model) => Effect.sync(model.dispose)
  )
  model.resize(columns, rows)
  registry.mount(model.view)
  const renderer = yield* Effect.acquireRelease(
    Effect.sync(() =>
      InkRenderer.make(Theme.make({ depth: "none", isDark: true }), (error) => {
        throw error
      })
    ),
    ({ unmount }) => Effect.sync(unmount)
  )
  /** Draws the screen. Returns its rows without styles. */
  const print = ({ columns, lines, window }: View): ReadonlyArray<string> => {
    const drawn = window === undefined ? undefined : renderer.render(window, columns, 0)
    if (drawn !== undefined) model.windowDrawn(drawn.layout)
    return ScreenRows.make(lines, StyledLine.text, drawn).map(stripVTControlCharacters)
  }
  const text = () => print(registry.get(model.view)).map((row) => row.trimEnd())

  /** Waits until all words are on the screen, and returns the lines of the screen. */
  const until = (...words: ReadonlyArray<string>) =>
    Effect.callback<ReadonlyArray<string>>((resume) => {
      let isFound = false
      const cancel = registry.subscribe(
        model.view,
        (view) => {
          if (isFound) return
          const lines = print(view).map((row) => row.trimEnd())
          isFound = words.every((word) => lines.some((line) => line.includes(word)))
          if (isFound) resume(Effect.succeed(lines))
        },
        { immediate: true }
      )
      if (isFound) cancel()
      return Effect.sync(cancel)
    }).pipe(
      Effect.timeoutOrElse({
        duration: TIMEOUT,
        orElse: () => Effect.die(`${words.join(", ")} did not appear:\n${text().join("\n")}`)
      })
    )

  /** Waits like `until`, and advances the test clock by a second per attempt. */
  const untilLater = Effect.fnUntraced(function* (words: string) {
    while (!text().some((line) => line.includes(words))) {
      yield* TestClock.adjust("1 second")
      // Responses arrive in real time.
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
  })

  /** Calls `listen` with every screen. */
  const watch = (listen: (lines: ReadonlyArray<string>) => void) =>
    registry.subscribe(model.view, (view) => listen(print(view).map((row) => row.trimEnd())))

  return {
    exits,
    copied,
    browsed,
    model,
    registry,
    text,
    /** Returns the rows of the screen with all columns. */
    rows: () => print(registry.get(model.view)),
    view: () => registry.get(model.view),
    window: () => windowOf(text()),
    session: model.session,
    mouse: model.mouse,
    until,
    untilLater,
    watch,
    resize: model.resize,
    paste: model.paste,
    press: (...keys: ReadonlyArray<string>) => keys.forEach(model.press)
  }
})

const settingsOf = ({ editor, isReadOnly, keys, profiles, session }: Options, now: number) => ({
  ...(keys === undefined ? {} : { keys }),
  ...(isReadOnly === undefined ? {} : { isReadOnly }),
  ...(profiles === undefined ? {} : { profiles }),
  ...(editor === undefined ? {} : { editor }),
  // Screens of a session that ended long ago are not restored.
  session: typeof session === "object" ? { endedAt: now, ...session } : session
})

/** Returns the title and the lines of the window over the content; nothing without a window. */
const windowOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const top = lines.findIndex((line) => line.includes("╭─ "))
  if (top === -1) return []
  const bottom = lines.findIndex((line, index) => index > top && line.includes("╰──"))
  const title = lines[top]?.replace(/^.*╭─ /, "").replace(/ ─*╮.*$/, "") ?? ""
  const inner = lines.slice(top + 1, bottom === -1 ? undefined : bottom)
  return [title, ...inner.map((line) => line.slice(line.indexOf("│ ") + 2, line.lastIndexOf(" │")).trimEnd())]
}
