/** The scripts of `tongs --completions`, in the shells that load them. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { program, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const scripts = new Map<string, string>()

beforeAll(() => {
  for (const name of ["bash", "fish", "zsh"]) {
    scripts.set(name, execFileSync(process.execPath, [program, "--completions", name], { encoding: "utf8" }))
  }
})

/** Calls the function that the script registers as readline does. The last word is the one to complete. */
const bash = (folder: string, line: string): ReadonlyArray<string> => {
  const script = join(folder, "tongs.bash")
  writeFileSync(script, scripts.get("bash") ?? "")
  const words = line.split(" ")
  const code = [
    `source "$1"; shift`,
    `COMP_LINE="$*" COMP_POINT=\${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))`,
    `_tongs tongs "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`
  ].join("\n")
  return linesOf(
    execFileSync("bash", ["--norc", "-c", code, "bash", script, ...words], { cwd: folder, encoding: "utf8" })
  )
}

const fish = (folder: string, line: string): ReadonlyArray<string> => {
  const script = join(folder, "tongs.fish")
  writeFileSync(script, scripts.get("fish") ?? "")
  const args = ["--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', script, line]
  const env = { PATH: process.env["PATH"], HOME: folder }
  return linesOf(execFileSync("fish", args, { cwd: folder, encoding: "utf8", env })).map(
    (one) => one.split("\t")[0] ?? ""
  )
}

const linesOf = (text: string) => text.split("\n").filter(Boolean).toSorted()

describe.each([
  ["bash", bash],
  ["fish", fish]
])("%s", (name, complete) => {
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
      ["tongs --dialect g", ["github"]],
      ["tongs branches list --log-level wa", ["warn", "warning"]],
      ["tongs branches list --no-c", ["--no-color"]],
      ["tongs branches list --no-j", []]
    ]
    for (const [line, expected] of cases)
      expect({ line, found: complete(folder, line) }).toEqual({ line, found: expected })
    expect(complete(folder, "tongs doctor --data s").map((path) => path.replace(/\/$/, ""))).toEqual(["sources"])
  })
})

it.skipIf(!hasPrograms("zsh"))("zsh parses its script, which has the global flags", () => {
  const script = scripts.get("zsh") ?? ""
  const file = join(temporaryFolder(), "_tongs")
  writeFileSync(file, script)
  execFileSync("zsh", ["-f", "-n", file])
  expect(script).toMatch(/--limits\[[^\]]+\]:[^:]*:\(off spec\)/)
})

it("names a file of bash-completion, not the start-up file of bash", async () => {
  const { stdout } = await shell().tongs(["--completions", "bash"])
  expect(stdout.toString()).toContain("tongs --completions bash > ~/.local/share/bash-completion/completions/tongs")
  expect(stdout.toString()).not.toContain(".bashrc")
})
