/** `gh secret` and, if gh has it, `gh variable` on the embedded forge, through `tongs run`. */
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { git, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

const hasGh = hasPrograms("gh")

/** Debian's gh 2.23 has no `gh variable`. */
const hasVariables = () => execFileSync("gh", ["help"], { encoding: "utf8" }).includes("variable:")

it.skipIf(!hasGh)("gh: `gh secret` and `gh variable` through `tongs run`", { timeout: 240_000 }, async () => {
  const root = temporaryFolder()
  const [repos, home, data] = [join(root, "repos"), join(root, "home"), join(root, "data")]
  for (const folder of [repos, home]) mkdirSync(folder)
  const hello = join(repos, "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", hello])
  git(hello, ["commit", "--quiet", "--allow-empty", "--message=first"])
  git(hello, ["remote", "add", "origin", "http://github.localhost/keeper/hello.git"])
  const env = { ...compileCache, PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" }
  const run = async (code: string) => {
    const args = [program, "--data", data, "--repos", repos, "run", "--", "bash", "-eu", "-c", code]
    const { stderr, stdout } = await promisify(execFile)(process.execPath, args, { cwd: hello, env })
    return { stderr, lines: stdout.trim().split("\n") }
  }
  const owner = (await run("gh api user --jq .login")).lines[0] ?? ""
  const value = "clear-text-that-nobody-may-find"
  const secrets = await run(`
    gh secret set TOKEN --body ${value}
    printf %s ${value} | gh secret set OTHER
    gh api --silent -X PUT repos/${owner}/hello/environments/production
    gh secret set TOKEN --env production --body ${value}
    gh secret list | cut -f 1
    gh secret list --env production | cut -f 1
    gh secret delete OTHER
    gh secret list | cut -f 1
  `)
  expect(secrets.lines).toEqual(["OTHER", "TOKEN", "TOKEN", "TOKEN"])
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name, parentPath } of files)
    expect(readFileSync(join(parentPath, name)).includes(value), name).toBe(false)
  if (!hasVariables()) return
  const variables = await run(`
    gh variable set REGION --body eu
    gh variable set REGION --body us
    gh variable list | cut -f 1,2
    gh variable get REGION
    gh variable delete REGION
  `)
  expect(variables.lines).toEqual(["REGION\tus", "us"])
})
