/** The scripts of `tongs --completions`, in the shells that load them and ask `tongs __complete`. */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { sample } from "../LongTests.test-support.ts"
import { compileCache, program, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const scripts = new Map<string, string>()

beforeAll(() => {
  for (const name of ["bash", "fish", "zsh"]) {
    scripts.set(name, execFileSync(process.execPath, [program, "--completions", name], { encoding: "utf8" }))
  }
})

/** The environment of a shell that finds `tongs`. */
const environment = (folder: string) => {
  const bin = join(folder, "bin")
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, "tongs"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(bin, "tongs"), 0o755)
  return {
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: folder,
    LANG: "C.UTF-8",
    TONGS_COMPLETION_TIMEOUT: "30000",
    ...compileCache
  }
}

/** Calls the function that the script registers as readline does. The last word is the one to complete. */
const bash = (folder: string, line: string): ReadonlyArray<string> => {
  const script = join(folder, "tongs.bash")
  writeFileSync(script, scripts.get("bash") ?? "")
  // Readline divides words at the equals sign, too.
  const words = line.split(" ").flatMap((word) => word.split(/(=)/))
  const code = [
    `source "$1"; shift`,
    `COMP_LINE="$1" COMP_POINT=\${#1}; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))`,
    `_tongs tongs "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`
  ].join("\n")
  return linesOf(
    execFileSync("bash", ["--norc", "-c", code, "bash", script, line, ...words], {
      cwd: folder,
      encoding: "utf8",
      env: environment(folder)
    })
  )
}

const fish = (folder: string, line: string): ReadonlyArray<string> => {
  const script = join(folder, "tongs.fish")
  writeFileSync(script, scripts.get("fish") ?? "")
  const args = ["--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', script, line]
  return linesOf(execFileSync("fish", args, { cwd: folder, encoding: "utf8", env: environment(folder) })).map(
    (one) => one.split("\t")[0] ?? ""
  )
}

/** Calls the function of the script as zsh's completion does, which fills the words. `_describe` prints the values. */
const zsh = (folder: string, line: string): ReadonlyArray<string> => {
  const script = join(folder, "_tongs")
  writeFileSync(script, scripts.get("zsh") ?? "")
  const code = [
    "compdef() {}",
    "_describe() { print -l -- ${(P)3} }",
    "_files() { if [[ $1 == -/ ]] { print -l -- $PREFIX*(/N) } else { print -l -- $PREFIX*(N) } }",
    'script=$1; shift; words=("$@"); CURRENT=$#; PREFIX=$argv[-1]',
    "source $script; _tongs"
  ].join("\n")
  const args = ["-f", "-c", code, "zsh", script, ...line.split(" ")]
  const text = execFileSync("zsh", args, { cwd: folder, encoding: "utf8", env: environment(folder) })
  return linesOf(text).map((one) => one.replace(/(?<!\\):.*/, "").replaceAll("\\:", ":"))
}

const linesOf = (text: string) => text.split("\n").filter(Boolean).toSorted()

/** Every shell in `npm run test:long`, otherwise bash. */
const shells = sample([
  ["bash", bash],
  ["fish", fish],
  ["zsh", zsh]
] as const) // pairs

describe.each(shells)("%s", (name, complete) => {
  it.skipIf(!hasPrograms(name))("completes commands, flags and values", () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, "sources"))
    const cases: ReadonlyArray<readonly [line: string, expected: ReadonlyArray<string>]> = [
      ["tongs git-b", ["git-blobs"]],
      ["tongs branches merge-", ["merge-upstream"]],
      ["tongs branches list --li", ["--limit", "--limits"]],
      ["tongs --prof", ["--profile"]],
      ["tongs --profile work branches ren", ["rename"]],
      ["tongs branches list --limits ", ["off", "spec"]],
      ["tongs branches list --limits=s", [name === "bash" ? "spec" : "--limits=spec"]],
      ["tongs --dialect g", ["github"]],
      ["tongs branches list --log-level wa", ["warn", "warning"]],
      ["tongs branches list --no-c", ["--no-color"]],
      ["tongs branches list --no-j", []]
    ]
    for (const [line, expected] of cases)
      expect({ line, found: complete(folder, line) }).toEqual({ line, found: expected })
    expect(complete(folder, "tongs doctor --data s").map((path) => path.replace(/\/$/, ""))).toEqual(["sources"])
  })

  it.skipIf(!hasPrograms(name))("completes repositories, references and files of the forge", () => {
    const folder = temporaryFolder()
    const cases: ReadonlyArray<readonly [line: string, expected: ReadonlyArray<string>]> = [
      ["tongs --demo branches list north-pier/l", ["north-pier/lighthouse"]],
      ["tongs --demo branches list --repo north-pier/l", ["north-pier/lighthouse"]],
      ["tongs --demo branches get north-pier/lighthouse electric", ["electric-lamp"]],
      ["tongs --demo git-refs get north-pier/lighthouse heads/elec", ["heads/electric-lamp"]],
      ["tongs --demo contents get north-pier/lighthouse R", ["README.md"]],
      ["tongs --demo contents get north-pier/lighthouse sr", ["src/"]],
      // No forge listens there.
      ["tongs --url http://127.0.0.1:9 branches list north-pier/l", []]
    ]
    for (const [line, expected] of cases) {
      expect({ line, found: complete(folder, line) }).toEqual({ line, found: expected })
    }
  })
})

it.each(["bash", "fish", "zsh"])("the script of %s is small, whatever the number of operations", (name) => {
  expect(scripts.get(name)?.length).toBeLessThan(10_000)
})

it("names a file of bash-completion, not the start-up file of bash", async () => {
  const { stdout } = await shell().tongs(["--completions", "bash"])
  expect(stdout.toString()).toContain("tongs --completions bash > ~/.local/share/bash-completion/completions/tongs")
  expect(stdout.toString()).not.toContain(".bashrc")
})
