/** `--web` on the embedded forge: the printed command opens the page in the explorer. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, it, onTestFinished } from "vitest"
import { git } from "./ForgeProcess.test-support.ts"
import { compileCache, program, shell, TIMEOUT } from "./TongsCommand.test-support.ts"

it("names the page of a file in the explorer", { timeout: TIMEOUT }, async () => {
  const { home, tongs } = shell()
  const repository = join(home, "demo")
  git(home, ["init", "--quiet", "--initial-branch=fix/one", repository])
  writeFileSync(join(repository, "read me.md"), "hi\n")
  git(repository, ["add", "--all"])
  git(repository, ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "Start"])

  const { code, stderr } = await tongs(["contents", "get", "--path", "read me.md", "--web", "--repos", repository])
  assert.strictEqual(code, 2)
  const [, page = ""] =
    /Run `tongs explore --open --page '(\S+)' --repos \S+` to see it in the explorer\./.exec(stderr) ?? []

  const args = ["explore", "--page", page, "--repos", repository, "--port", "0"]
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, ...compileCache }
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [link] = await once(createInterface(child.stdout), "line")
  const response = await fetch(String(link), { redirect: "manual" })
  assert.strictEqual(response.status, 303)
  const location = new URL(response.headers.get("location") ?? "", String(link))
  assert.strictEqual(location.pathname, "/file")
  const parameters = Object.fromEntries(location.searchParams)
  assert.match(parameters["repo"] ?? "", /\/demo$/)
  assert.deepStrictEqual([parameters["path"], parameters["ref"]], ["read me.md", "fix/one"])
})

it("accepts only pages of the explorer", { timeout: TIMEOUT }, async () => {
  for (const page of ["https://example.org", "//example.org", "/etc"]) {
    const { code, stderr } = await shell().tongs(["explore", "--page", page, "--port", "0"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /a page of the explorer, for example/)
  }
})
