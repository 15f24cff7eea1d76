/** The runner of the guide turns a pull request green, in every face. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startForge, type TestForge } from "@tongs/testing"
import { launch, skipReason } from "./ExplorerBrowser.test-support.ts"
import { initialize, start } from "./McpRun.test-support.ts"
import { shell, temporaryFolder } from "./TongsCommand.test-support.ts"

const guide = readFileSync(new URL("../../docs/guides/runner.md", import.meta.url), "utf8")
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(guide)?.[1] ?? ""

let forge: TestForge
beforeAll(async () => {
  forge = await startForge()
})
afterAll(() => forge.close())

const ask = async (method: string, path: string, body?: object) => {
  const response = await fetch(forge.url + path, {
    method,
    headers: { authorization: `Bearer ${forge.owner.token}`, "user-agent": "test", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${response.status} ${method} ${path}: ${await response.text()}`)
  return response
}

/** Runs the runner until a condition holds. */
const withRunner = async (command: string, isDone: () => Promise<boolean>) => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-runner-"))
  const file = join(folder, "runner.mjs")
  writeFileSync(file, blockOf("js"))
  const env = {
    PATH: process.env["PATH"],
    COMMAND: command,
    FORGE_TOKEN: forge.owner.token,
    FORGE_URL: forge.url,
    REPOSITORY: "ada/notes"
  }
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "inherit", "inherit"] })
  const exited = once(child, "exit")
  try {
    for (;;) {
      if (await isDone()) return
      if (child.exitCode !== null) throw new Error("The runner ended")
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    child.kill()
    await exited
    rmSync(folder, { recursive: true })
  }
}

const rollup = async () => {
  const query = `{ repository(owner: "ada", name: "notes") { pullRequest(number: 1) { commits(last: 1) { nodes { commit {
    statusCheckRollup { state contexts(first: 9) { nodes { ... on CheckRun {
      name checkSuite { workflowRun { event workflow { name } } } } } } } } } } } } }`
  const answer: any = await (await ask("POST", "/graphql", { query })).json() // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
  return answer.data.repository.pullRequest.commits.nodes[0].commit.statusCheckRollup
}

it("the runner of the guide turns a pull request red, and green", { timeout: 120_000 }, async () => {
  const file = ".github/workflows/test.yml"
  await forge.user("ada")
  await forge.repo("ada/notes").commit({ [file]: blockOf("yaml") })
  await forge.repo("ada/notes").branch("topic").commit({ "a.txt": "a" })
  await forge.pullRequest("ada/notes", "topic")
  await forge.collaborator("ada/notes", forge.owner.login, "write")
  expect(await rollup()).toBeNull()

  const dispatched = await ask("POST", "/repos/ada/notes/actions/workflows/test.yml/dispatches", {
    ref: "topic",
    return_run_details: true
  })
  const { workflow_run_id: id } = JSON.parse(await dispatched.text())
  const state = async () => JSON.parse(await (await ask("GET", `/repos/ada/notes/actions/runs/${id}`)).text())
  const isCompleted = async () => (await state()).status === "completed"
  await withRunner("echo broken; exit 1", isCompleted)
  expect(await rollup()).toMatchObject({ state: "FAILURE" })

  await ask("POST", `/repos/ada/notes/actions/runs/${id}/rerun`, {})
  expect(await rollup()).toMatchObject({ state: "PENDING" })
  await withRunner("echo works", isCompleted)
  expect(await state()).toMatchObject({ conclusion: "success", run_attempt: 2 })
  expect(await rollup()).toEqual({
    state: "SUCCESS",
    contexts: {
      nodes: [
        {
          name: "test",
          checkSuite: { workflowRun: { event: "workflow_dispatch", workflow: { name: "Test" } } }
        }
      ]
    }
  })
  const { jobs } = JSON.parse(await (await ask("GET", `/repos/ada/notes/actions/runs/${id}/jobs`)).text())
  expect(await (await ask("GET", `/repos/ada/notes/actions/jobs/${jobs[0].id}/logs`)).text()).toBe("works\n")

  const checks = await ask("GET", "/repos/ada/notes/commits/topic/check-runs")
  expect(JSON.parse(await checks.text())).toMatchObject({ check_runs: [{ name: "test", conclusion: "success" }] })
  await Promise.all([command(), tool(), page(id, jobs[0].id)])
})

/** The credential of the forge for the other faces. */
const env = () => ({ TONGS_TOKEN: forge.owner.token })

const command = async () => {
  const args = ["--url", forge.url, "check-runs", "list", "ada/notes", "topic", "--json"]
  const { stderr, stdout } = await shell().tongs(args, { env: env() })
  expect(JSON.parse(stdout.toString()), stderr).toMatchObject([{ name: "test", conclusion: "success" }])
}

const tool = async () => {
  const server = start(["--url", forge.url], { cwd: temporaryFolder(), env: env() })
  server.send(initialize())
  await server.response(1)
  server.send({ method: "notifications/initialized" })
  const given = { repo: "ada/notes", ref: "topic" }
  server.send({
    id: 2,
    method: "tools/call",
    params: { name: "run_operation", arguments: { operation: "checkRuns.listForRef", arguments: given } }
  })
  const text = JSON.stringify(await server.response(2))
  expect(text).toContain("test")
  expect(text).toContain("success")
}

/** The pull request in the explorer leads to the log of the job. */
const page = async (run: number, job: number) => {
  if (skipReason !== "") return
  const explorer = await launch(["--url", forge.url], env())
  try {
    const { errors, page } = await explorer.open("ada/notes/pull/1/checks")
    await page.getByText("1 check passed").waitFor()
    await page.getByRole("link", { name: /^Details/ }).click()
    await page.waitForURL(new RegExp(`/run\\?repo=ada/notes&id=${run}&job=${job}$`))
    await page.locator(".run-status").getByText("Success after").waitFor()
    await page.locator(".log-line").getByText("works").waitFor()
    expect(errors).toEqual([])
  } finally {
    await explorer.close()
  }
}
