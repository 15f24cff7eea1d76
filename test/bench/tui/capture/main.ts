/** `pnpm screenshots`: runs terminal programs, presses keys, and draws the screens as PNG files, or as an animated SVG file. */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { startBrowser } from "../../../acceptance/ExplorerBrowser.test-support.ts"
import * as LargeRepository from "../../../acceptance/LargeRepository.test-support.ts"
import * as TuiTerminal from "../../../acceptance/TuiTerminal.test-support.ts"
import * as Palette from "./Palette.ts"
import * as Recording from "./Recording.ts"
import * as ScreenImage from "./ScreenImage.ts"

const HELP = `pnpm screenshots [--only TEXT] [--out FOLDER] [FILE]

Draws the pictures that FILE lists (test/bench/tui/capture/pictures.json) as FOLDER/NAME.png, or a recording as
FOLDER/NAME.svg (docs/images).

  --only TEXT  only pictures with this text in their names
  --out FOLDER the folder of the files`

const Picture = Schema.Struct({
  name: Schema.String,
  columns: Schema.Int,
  rows: Schema.Int,
  theme: Schema.Literals(["xterm-dark", "xterm-light", "linux", "solarized-dark", "solarized-light"]),
  /** The colours that the program finds: 16, 256 or 16777216. */
  colors: Schema.Literals([16, 256, 16_777_216]),
  /** Names of tmux keys, or of several with spaces. `text:` types the rest, `wait:` waits for the rest. */
  keys: Schema.Array(Schema.String),
  /** Arguments of `tongs`. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** A command instead of `tongs`. */
  command: Schema.optionalKey(Schema.Array(Schema.String)),
  /**
   * Number of commits of the repository in which the program starts; by default, the program starts in an empty folder.
   */
  commits: Schema.optionalKey(Schema.Literals([1_000, 12_000, 100_000])),
  /** True draws the screens after each key as one animated SVG file. */
  isRecording: Schema.optionalKey(Schema.Boolean)
})
type Picture = typeof Picture.Type

const decodePictures = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Picture)))

const environments = {
  16: { TERM: "screen" },
  256: { TERM: "screen-256color" },
  16_777_216: { TERM: "screen-256color", COLORTERM: "truecolor" }
}

/** Seconds for which a screen of a recording is visible, and after typed text. */
const FRAME_SECONDS = 1.8
const TYPED_SECONDS = 0.9

/** Runs the program, presses the keys and returns the screens with styles, after the start and after each key. */
const capture = Effect.fnUntraced(function* ({ args, colors, columns, command, commits, keys, rows, theme }: Picture) {
  const repository = commits === undefined ? undefined : yield* LargeRepository.get(commits)
  const terminal = yield* TuiTerminal.start({
    columns,
    rows,
    background: Palette.palettes[theme].background,
    environment: { LANG: "C.UTF-8", ...environments[colors] },
    ...(args === undefined ? {} : { args }),
    ...(command === undefined ? {} : { command }),
    ...(repository === undefined ? {} : { folder: () => repository })
  })
  yield* terminal.waitUntil("the first frame", (screen) => screen.trim() !== "")
  yield* untilUnchanged(terminal)
  const frames: Array<Recording.Frame> = [{ capture: terminal.captureStyled(), seconds: FRAME_SECONDS, key: "" }]
  for (const key of keys) {
    if (key.startsWith("wait:")) yield* terminal.waitFor(key.slice("wait:".length))
    else if (key.startsWith("text:")) terminal.text(key.slice("text:".length))
    else terminal.keys(...key.split(" "))
    yield* untilUnchanged(terminal)
    if (key.startsWith("wait:")) continue
    const isText = key.startsWith("text:")
    frames.push({
      capture: terminal.captureStyled(),
      seconds: isText ? TYPED_SECONDS : FRAME_SECONDS,
      key: isText ? key.slice("text:".length) : key
    })
  }
  return frames
})

/** Waits until the screen has been the same for 0.6 seconds. */
const untilUnchanged = Effect.fnUntraced(function* ({ captureStyled }: TuiTerminal.TuiTerminal) {
  for (let before = "", same = 0; same < 6;) {
    yield* Effect.sleep("100 millis")
    const now = captureStyled()
    same = now === before ? same + 1 : 0
    before = now
  }
})

const run = Effect.fnUntraced(function* (pictures: ReadonlyArray<Picture>, folder: string) {
  mkdirSync(folder, { recursive: true })
  const browser = yield* Effect.acquireRelease(Effect.promise(startBrowser), (browser) =>
    Effect.promise(() => browser.close())
  )
  for (const picture of pictures) {
    const frames = yield* Effect.scoped(capture(picture))
    const path = join(folder, `${picture.name}.${picture.isRecording === true ? "svg" : "png"}`)
    const palette = Palette.palettes[picture.theme]
    const last = frames.at(-1)?.capture ?? ""
    if (picture.isRecording === true) Recording.write(path, frames, picture, palette)
    else yield* Effect.promise(() => ScreenImage.write(browser, path, last, picture.columns, palette))
    console.error(path)
  }
})

const root = join(import.meta.dirname, "../../../..")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    out: { type: "string", default: join(root, "docs/images") },
    help: { type: "boolean", default: false }
  }
})
if (values.help) console.log(HELP)
else
  decodePictures(readFileSync(positionals[0] ?? join(import.meta.dirname, "pictures.json"), "utf8")).pipe(
    Effect.flatMap((pictures) =>
      run(
        pictures.filter(({ name }) => name.includes(values.only)),
        values.out
      )
    ),
    Effect.scoped,
    NodeRuntime.runMain
  )
