import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"
import { processes } from "./processes.mjs"
import { run } from "./run.mjs"

/** A shell that waits, as does what it started beside it; both can be told by their name. */
const waiting = (name) => ["-c", `(sleep 60; : ${name}) & echo ready >&2; sleep 60; : ${name}`]
const named = (name) => processes().filter(({ command }) => command.includes(name))

it("gives the code and all output; 127 where there is no such program", async () => {
  expect(await run("a step", "sh", ["-c", "echo out; echo err >&2; exit 3"])).toMatchObject({
    code: 3,
    output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
    late: false
  })
  expect(await run("a step", "no-such-program", [])).toMatchObject({ code: 127, late: false })
})

it("ends a program whose time is over, with all that it started", async () => {
  const name = `late-${process.pid}`
  const result = await run("a step", "sh", waiting(name), { timeoutSeconds: 0.5 })
  expect(result).toMatchObject({ code: 143, late: true })
  expect(named(name)).toEqual([])
})

it("ends a program when it is interrupted itself, with all that it started, and says so", async () => {
  const name = `interrupted-${process.pid}`
  const source = `
    import { run } from ${JSON.stringify(new URL("run.mjs", import.meta.url).href)}
    await run("a step", "sh", ${JSON.stringify(waiting(name))}, { show: true }).catch((error) => {
      console.log(error.exitCode)
      process.exitCode = error.exitCode
    })`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const exit = once(child, "exit")
  for await (const line of createInterface(child.stderr)) if (line === "ready") break
  child.kill("SIGTERM")
  expect(await exit).toEqual([143, null])
  expect(named(name)).toEqual([])
})
