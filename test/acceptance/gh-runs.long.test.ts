/** The command lines of `gh run` and `gh workflow` on the embedded forge, with reports of a runner between them. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { git, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

/** A forge with a repository `hello`, and a function that runs shell code in its work tree. */
const start = () => {
  const root = temporaryFolder()
  const folder = join(root, "repos", "hello")
  for (const name of ["repos", "home"]) mkdirSync(join(root, name))
  git(root, ["init", "--quiet", "--initial-branch=main", folder])
  mkdirSync(join(folder, ".github", "workflows"), { recursive: true })
  writeFileSync(join(folder, ".github/workflows/ci.yml"), "name: CI\non: [push, workflow_dispatch]\njobs: {}\n")
  git(folder, ["add", "."])
  git(folder, ["commit", "--quiet", "--message=first"])
  const env = { ...compileCache, PATH: process.env["PATH"], HOME: join(root, "home"), LANG: "C.UTF-8", NO_COLOR: "1" }
  const flags = [program, "--data", join(root, "data"), "--repos", join(root, "repos")]
  return async (code: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, "run", "--", "bash", "-eu", "-o", "pipefail", "-c", code],
      { cwd: folder, env, maxBuffer: 16_000_000 }
    )
    return stdout
  }
}

const job = {
  name: "build",
  conclusion: "failure",
  steps: [
    { name: "Set up job", conclusion: "success", log_offset: 0 },
    { name: "make", conclusion: "failure", log_offset: 7 }
  ]
}

it.skipIf(!hasPrograms("gh"))("gh: `gh run` and `gh workflow` through `tongs run`", { timeout: 240_000 }, async () => {
  const run = start()
  const owner = (await run("gh api user --jq .login")).trim()
  await run(`git remote add origin http://github.localhost/${owner}/hello.git`)
  const reports = `tongs/repos/${owner}/hello/runs`
  expect(await run("gh workflow list; gh workflow view ci.yml --yaml")).toContain("CI\tactive\t1\nname: CI\n")
  await run("gh workflow run ci.yml --ref main")
  await run(`gh api --silent -X POST ${reports} --input - <<< '${JSON.stringify({ run_id: 1, jobs: [job] })}'`)
  await run(`printf 'set up\nmake\nbroken\n' | gh api --silent -X PUT ${reports}/1/jobs/1/log --input -`)
  expect(await run("gh run list --workflow CI")).toMatch(/^completed\tfailure\tCI\tCI\tmain\tworkflow_dispatch\t1\t/)
  expect(await run("gh run view 1")).toContain("X build in 0s (ID 1)\n  ✓ Set up job\n  X make\n")
  expect(await run("gh run view 1 --log")).toBe("build\tSet up job\tset up\nbuild\tmake\tmake\nbuild\tmake\tbroken\n")
  expect(await run("gh run view 1 --log-failed")).toBe("build\tmake\tmake\nbuild\tmake\tbroken\n")
  await run("gh run rerun 1 --failed")
  expect(await run("gh run view 1 --json status --jq .status")).toBe("queued\n")
  await run(`(sleep 1; gh api --silent -X POST ${reports} --input - <<< '{"run_id":1,"conclusion":"success"}') &
    gh run watch 1 --interval 1 --exit-status; wait`)
  await run("gh run rerun 1; gh run cancel 1")
  expect(await run("gh run view 1 --json conclusion --jq .conclusion")).toBe("cancelled\n")
  await run("gh workflow disable ci.yml")
  expect(await run("gh workflow list --all")).toBe("CI\tdisabled_manually\t1\n")
  await run("gh workflow enable ci.yml")
})
