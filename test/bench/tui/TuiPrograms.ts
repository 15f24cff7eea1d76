/** The terminal UI of `tongs`, and comparable programs. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

export interface TuiProgram {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: NodeJS.ProcessEnv
  /** Keys that put the cursor into the list of commits. */
  readonly focus: string
  readonly down: string
  readonly pageDown: string
  readonly end: string
}

const PAGE_DOWN = "\u001b[6~"
/** In the mode for application keys, which these programs set. */
const END = "\u001bOF"

/** Returns the installed programs, and notes with the versions and the missing programs. */
export const find = Effect.fnUntraced(function* (home: string) {
  const tongs = environmentOf(home, "tongs")
  startAtTheTop(tongs.env)
  const programs: Array<TuiProgram> = [
    {
      ...tongs,
      name: "tongs",
      command: process.execPath,
      args: [BenchmarkEnvironment.tongsPath],
      focus: "",
      down: "j",
      pageDown: PAGE_DOWN,
      end: "G"
    }
  ]
  const notes: Array<string> = []
  for (const { focus, name, pageDown } of [
    { name: "tig", focus: "", pageDown: PAGE_DOWN },
    // In lazygit, Page Down scrolls the diff beside the list.
    { name: "lazygit", focus: "4", pageDown: "." }
  ]) {
    const command = BenchmarkEnvironment.findProgram(name)
    if (command === undefined) {
      notes.push(`${name} is not on the path`)
      continue
    }
    const version = yield* BenchmarkEnvironment.runCommand(command, ["--version"])
    notes.push(`peer: ${name} ${/version[= ]v?([\d.]+)/.exec(version)?.[1] ?? version.trim()}`)
    const environment = environmentOf(home, name)
    if (name === "lazygit") skipWelcome(environment.env)
    programs.push({ ...environment, name, command, args: [], focus, down: "j", pageDown, end: END })
  }
  return { programs, notes }
})

/** An environment with a separate home, so that no settings of the user apply. */
const environmentOf = (home: string, name: string) => {
  const folder = join(home, name)
  mkdirSync(folder, { recursive: true })
  return { env: { ...BenchmarkEnvironment.cleanEnvironment(folder), GIT_CONFIG_GLOBAL: "/dev/null" } }
}

/** Otherwise a window about the first start receives the keys. */
const skipWelcome = (env: NodeJS.ProcessEnv) => writeConfig(env, "lazygit/config.yml", "disableStartupPopups: true\n")

/** Each measurement starts with the first commit, and not with the cursor of the last one. */
const startAtTheTop = (env: NodeJS.ProcessEnv) =>
  writeConfig(env, "tongs/config.json", JSON.stringify({ tui: { restore: false } }))

const writeConfig = (
  { HOME = "", XDG_CONFIG_HOME = join(HOME, ".config") }: NodeJS.ProcessEnv,
  name: string,
  text: string
) => {
  const file = join(XDG_CONFIG_HOME, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
