/** The command lines of `gh issue` and `gh label` on the embedded forge, through `tongs run`, in an empty home. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { git, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

type Json = any // oxlint-disable-line typescript/no-explicit-any -- assertions look into it

const hasGh = hasPrograms("gh")

/** A forge with the repositories `hello` and `other`, and functions that run commands in a work tree of `hello`. */
const start = () => {
  const root = temporaryFolder()
  const repos = join(root, "repos")
  const home = join(root, "home")
  for (const folder of [repos, home]) mkdirSync(folder)
  for (const name of ["hello", "other"]) {
    git(root, ["init", "--quiet", "--initial-branch=main", join(repos, name)])
    git(join(repos, name), ["commit", "--quiet", "--allow-empty", "--message=first"])
  }
  // gh 2.23 wants a remote for some commands.
  git(join(repos, "hello"), ["remote", "add", "origin", "http://github.localhost/keeper/hello.git"])
  const env = { ...compileCache, PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" }
  const flags = [program, "--data", join(root, "data"), "--repos", repos]
  const options = { cwd: join(repos, "hello"), env }
  const tongs = async (...args: ReadonlyArray<string>) =>
    (await promisify(execFile)(process.execPath, [...flags, ...args], options)).stdout
  return {
    /** Runs shell code by `tongs run`, and returns the standard output. */
    run: (code: string) => tongs("run", "--", "bash", "-eu", "-c", code),
    /** Starts shell code by `tongs run`. */
    spawned: (code: string) =>
      spawn(process.execPath, [...flags, "run", "--", "bash", "-c", code], {
        ...options,
        stdio: ["ignore", "pipe", "inherit"]
      }),
    api: async (path: string): Promise<Json> => JSON.parse(await tongs("api", path))
  }
}

it.skipIf(!hasGh)("gh: `gh issue` and `gh label` through `tongs run`", { timeout: 240_000 }, async () => {
  const { api, run } = start()
  const owner = (await run("gh api user --jq .login")).trim()
  const repository = `repos/${owner}/hello`

  await run(`
    gh api --silent -X POST ${repository}/milestones -f title=first
    gh label create odd --color ff0000 --description Odd
    gh label edit odd --name even
    gh label create gone
    gh label list | grep even
    gh issue create --title First --body Body
    gh issue create --title Second --body B --label even --assignee ${owner}
    gh issue create --title Third --body B --milestone first
    gh issue create --title Fourth --body B --assignee @me
  `)
  const created = await api(`${repository}/issues?direction=asc`)
  expect(
    created.map((one: Json) => [
      one.number,
      one.title,
      one.labels[0]?.name,
      one.assignees[0]?.login,
      one.milestone?.title
    ])
  ).toEqual([
    [1, "First", undefined, undefined, undefined],
    [2, "Second", "even", owner, undefined],
    [3, "Third", undefined, undefined, "first"],
    [4, "Fourth", undefined, owner, undefined]
  ])

  const lists = await run(`
    gh issue list --json number --jq '[.[].number] | sort | @csv'
    gh issue list --label even --json number --jq '[.[].number] | @csv'
    gh issue list --search First --json number --jq '[.[].number] | @csv'
    gh issue list --milestone first --json number --jq '[.[].number] | @csv'
    gh issue list --assignee ${owner} --state all --json number --jq '[.[].number] | sort | @csv'
    gh issue list --author ${owner} --limit 2 --json number --jq length
    gh issue status | grep -c Second
  `)
  expect(lists.trim().split("\n")).toEqual(["1,2,3,4", "2", "1", "3", "2,4", "2", expect.any(String)])

  const changes = await run(`
    gh issue comment 2 --body 'a comment'
    gh issue view 2 | grep title
    gh issue view 2 --comments | grep 'a comment'
    gh issue view 2 --json author,comments,labels --jq '.author.login, .comments[0].body, .labels[0].name'
    gh issue close 3 --reason 'not planned' --comment bye
    gh issue close 2
    gh issue reopen 2
    gh issue edit 1 --add-label even --add-assignee ${owner} --title Renamed
    gh issue edit 1 --milestone first --body Text
    gh issue edit 2 --remove-label even --remove-assignee ${owner}
    gh issue pin 2
    gh issue lock 1 --reason spam
    gh issue lock 2
    gh issue unlock 2
    gh issue transfer 4 ${owner}/other
  `)
  expect(changes).toContain(`http://github.localhost/${owner}/hello/issues/2#issuecomment-1\n`)
  const issues = await Promise.all([1, 2, 3].map((number) => api(`${repository}/issues/${number}`)))
  const stored = issues.map((one: Json) => [
    one.title,
    one.state,
    one.state_reason,
    one.labels.length,
    one.assignees.length,
    one.locked,
    one.comments
  ])
  expect(stored).toEqual([
    ["Renamed", "open", null, 1, 1, true, 0],
    ["Second", "open", "reopened", 0, 0, false, 1],
    ["Third", "closed", "not_planned", 0, 0, false, 1]
  ])
  expect([issues[0].body, issues[0].milestone.title, issues[0].active_lock_reason]).toEqual(["Text", "first", "spam"])
  const [moved] = await api(`repos/${owner}/other/issues`)
  expect(moved.title).toBe("Fourth")

  // gh 2.23 creates the branch in the repository of the remote.
  const developed = await run(`
    git remote set-url origin http://github.localhost/${owner}/hello.git
    gh issue develop 1 --name work/renamed
    gh issue develop 1 --base work/renamed
    gh issue develop --list 1
  `)
  const branches = ["work/renamed", "1-renamed"]
  for (const name of branches) expect(developed).toContain(`${owner}/hello/tree/${name}`)
  expect((await api(`${repository}/branches`)).map(({ name }: Json) => name)).toEqual(expect.arrayContaining(branches))
  await expect(run("gh issue develop 2 --name work/renamed")).rejects.toThrow(/already exists/)
  await run(`gh api --silent -X DELETE ${repository}/git/refs/heads/1-renamed`)
  const listed = await run("gh issue develop --list 1")
  expect([listed.includes("work/renamed"), listed.includes("1-renamed")]).toEqual([true, false])

  await run(`
    gh issue unpin 2
    echo ${owner}/hello | gh issue delete 3 --yes 2>/dev/null || gh issue delete 3 --confirm
    gh label delete gone --yes 2>/dev/null || gh label delete gone --confirm
  `)
  await expect(api(`${repository}/issues/3`)).rejects.toThrow(/deleted/)
  await expect(api(`${repository}/labels/gone`)).rejects.toThrow()
  await expect(run("gh issue view 99")).rejects.toThrow(
    /Could not resolve to an issue or pull request with the number of 99/
  )
})

it("`tongs run` ends with the exit code of the program, and hides the token from the process list", async () => {
  const { run } = start()
  await expect(run("exit 7")).rejects.toMatchObject({ code: 7 })
  const output = await run(`
    test -n "$GITHUB_TOKEN"
    ! ps -A -o args | grep -F -- "$GITHUB_TOKEN" | grep -v 'grep -F' > /dev/null
    ls -A "$GH_CONFIG_DIR"
    git ls-remote "$GITHUB_SERVER_URL/$(basename "$(dirname "$GH_REPO")")/hello.git" | cut -f 2
    echo "$GH_CONFIG_DIR"
  `)
  const lines = output.trim().split("\n")
  expect(lines.slice(0, -1)).toEqual(["HEAD", "refs/heads/main"])
  expect(lines.at(-1)).toMatch(/tongs-run-/)
})

it("`tongs run` passes signals on, and ends all processes of the program", async () => {
  const { spawned } = start()
  const child = spawned("trap 'echo ended; exit' TERM; sleep 600 & echo $!; wait")
  let output = ""
  const ready = new Promise<void>((resolve) =>
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString()
      resolve()
    })
  )
  const closed = once(child, "close")
  await Promise.race([ready, closed])
  child.kill("SIGTERM")
  const [code] = await closed
  expect(code).toBe(143)
  const [sleeper, end] = output.trim().split("\n")
  expect(end).toBe("ended")
  await expect.poll(() => isRunning(Number(sleeper)), { timeout: 10_000 }).toBe(false)
})

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
