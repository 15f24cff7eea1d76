/** Programs in other languages that use a client. Compiled into the user's cache folder. */
import { execFile, execFileSync } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { type ClientResults, expectResults, serveClients } from "./ClientForge.test-support.ts"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "tongs", "clients")

/** A command and its arguments. */
type Command = readonly [program: string, ...args: ReadonlyArray<string>]

/** A program whose sources are in the folder `clients/{folder}`. */
export interface Program {
  readonly folder: string
  /** Programs without which the tests are skipped. */
  readonly needs: ReadonlyArray<string>
  /** Downloads the packages; without network the tests are skipped if the caches of the language lack a package. */
  readonly download: Command
  readonly build: Command
  readonly run: Command
  readonly env?: NodeJS.ProcessEnv
}

/** Returns the names of all operations of some groups. */
export const operationsOf = (...groups: ReadonlyArray<string>): ReadonlyArray<string> =>
  entries.filter(({ group }) => groups.includes(group)).map(({ group, name }) => `${group}.${name}`)

/** One line of a program's output. */
interface Line {
  readonly group: string
  readonly ok: boolean
  readonly detail: string
}

/** Copies the sources into the cache folder, to which the compilers write, and downloads the packages. */
const download = ({ download, env, folder, needs }: Program): string | undefined => {
  if (!hasPrograms(...needs)) return undefined
  const at = join(cache, folder)
  mkdirSync(at, { recursive: true })
  cpSync(join(import.meta.dirname, "clients", folder), at, { recursive: true, preserveTimestamps: true })
  const [program, ...args] = download
  try {
    execFileSync(program, args, { cwd: at, stdio: "ignore", timeout: 600_000, env: { ...process.env, ...env } })
    return at
  } catch {
    return undefined
  }
}

const execute = async ([program, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const options = { cwd, env, maxBuffer: 10_000_000, timeout: 1_200_000 }
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
    const { stderr, stdout } = error as { readonly stderr: string; readonly stdout: string } // oxlint-disable-line typescript/no-unsafe-type-assertion -- both are of execFile
    throw new Error(`${program} failed: ${stdout.slice(-5_000)}\n${stderr.slice(-5_000)}`, { cause: error })
  })
  return stdout
}

/** Tests a program: one test that runs the program against a forge, and one per group. */
export const testProgram = (
  program: Program,
  groups: ReadonlyArray<string>,
  { client, ...results }: Omit<ClientResults, "works">
): void => {
  const at = download(program)
  const named = it.skipIf(at === undefined)
  const prefix = `${program.needs.join(", ")}: ${client}`
  const lines: Array<Line> = []

  named(`${prefix} calls the groups`, async () => {
    const env = { ...process.env, ...program.env }
    await execute(program.build, at ?? "", env)
    const { completed, failed, url, world } = await serveClients()
    const values = Object.entries(world.names).map(([name, value]) => [
      `FORGE_${name.slice(1, -1).toUpperCase()}`,
      value
    ])
    const output = await execute(program.run, at ?? "", { ...env, ...Object.fromEntries(values), FORGE_URL: url })
    lines.push(
      ...output
        .trim()
        .split("\n")
        .map((line): Line => JSON.parse(line))
    )
    expect(failed()).toEqual([])
    expect(lines.map(({ group }) => group)).toEqual(groups)
    const works = completed().filter((name) => !(name in results.fails))
    expect(results.absent.filter((name) => works.includes(name))).toEqual([])
    await expectResults({ client, ...results, works })
  })

  named.each(groups)(`${prefix}: %s`, (group) => {
    expect(lines.find((line) => line.group === group)).toEqual({ group, ok: true, detail: "" })
  })
}
