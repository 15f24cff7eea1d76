/** Drives the model in tests: presses keys by name, and waits until words are on the screen. */
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
  const text = () => print(registry.get(model.view))

  /** Waits until all words are on the screen, and returns the lines of the screen. */
  const until = (...words: ReadonlyArray<string>) =>
    Effect.callback<ReadonlyArray<string>>((resume) => {
      const cancel = registry.subscribe(
        model.view,
        (view) => {
          const lines = print(view)
          if (words.every((word) => lines.some((line) => line.includes(word)))) resume(Effect.succeed(lines))
        },
        { immediate: true }
      )
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
    registry.subscribe(model.view, (view) => listen(print(view)))

  return {
    exits,
    copied,
    browsed,
    model,
    registry,
    text,
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

/** Converts the screen to lines of text, without trailing spaces. */
const print = ({ lines, window }: View): ReadonlyArray<string> =>
  lines.map((line, row) => {
    const over = window?.lines[row - window.top]
    if (window === undefined || over === undefined) return StyledLine.text(line).trimEnd()
    const rest = StyledLine.dropColumns(line, window.left + window.width)
    return StyledLine.text([...StyledLine.clip(line, window.left), ...over, ...rest]).trimEnd()
  })
