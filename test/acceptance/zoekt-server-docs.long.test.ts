/** The commands of `docs/zoekt.md` work, in an empty home folder and with other ports. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { git, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { program } from "./TongsCommand.test-support.ts"
import * as Zoekt from "./ZoektServer.test-support.ts"

const commands = [
  ...readFileSync(new URL("../../docs/zoekt.md", import.meta.url), "utf8").matchAll(/^ *```sh\n([^]*?)^ *```/gm)
].flatMap(([, block = ""]) => block.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()])))

const isServer = (command: string) => / serve |-webserver/.test(command)

it.skipIf(!Zoekt.isInstalled)(
  "runs the commands of the setup",
  async () => {
    const home = temporaryFolder()
    for (const name of ["hello", "world"]) {
      const path = join(home, "src", name)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, "a.txt"), `needle ${name}\n`)
      git(path, ["init", "--quiet", "--initial-branch=main"])
      git(path, ["add", "--all"])
      git(path, ["commit", "--quiet", "-m", "one"])
      git(path, ["branch", "dev"])
    }
    const ports = { "6070": await Zoekt.freePort(), "4180": await Zoekt.freePort() }
    const adapted = commands.map((command) =>
      command
        .replace(/\b(6070|4180)\b/g, (port) => String(port === "6070" ? ports["6070"] : ports["4180"]))
        .replace(/^tongs serve/, `tongs serve --port ${ports["4180"]}`)
        .replace(/\btongs (?=serve|code-index)/, `"${process.execPath}" "${program}" `)
    )
    const run = (command: string) => {
      // With `exec`, the signal reaches the server instead of the shell.
      const shell = isServer(command) ? `exec ${command}` : command
      const child = spawn("bash", ["-c", shell], {
        cwd: home,
        env: { PATH: process.env["PATH"], HOME: home }
      })
      const output: Array<string> = []
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => output.push(String(text)))
      onTestFinished(() => void child.kill())
      return { child, output }
    }
    const isReady = (url: string) =>
      fetch(url).then(
        ({ status }) => status,
        () => 0
      )
    for (const command of adapted) {
      const { child, output } = run(command)
      if (isServer(command)) {
        const url = command.includes("webserver") ? `${ports["6070"]}/readyz` : `${ports["4180"]}/tongs/index`
        await expect.poll(() => isReady(`http://127.0.0.1:${url}`), { timeout: 30_000 }).toBe(200)
      } else {
        const [code] = await once(child, "close")
        expect(code, `${command}\n${output.join("")}`).toBe(0)
        if (command.includes("code-index get")) expect(output.join("").match(/ready/g)).toHaveLength(2)
      }
    }
    expect(adapted.length).toBeGreaterThanOrEqual(7)
  },
  120_000
)
