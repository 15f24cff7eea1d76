import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"
import { processes, run } from "./run.mjs"

/** A sleeping shell with a sleeping child, both with `name` in the command line. */
const sleeping = (name) => ["-c", `(sleep 60; : ${name}) & echo ready >&2; sleep 60; : ${name}`]
const running = (name) => processes().filter(({ command }) => command.includes(name))

it("returns the exit code and the output, and 127 if the program does not exist", async () => {
  expect(await run("a step", "sh", ["-c", "echo out; echo err >&2; exit 3"])).toMatchObject({
    code: 3,
    output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
    timedOut: false
  })
  expect(await run("a step", "no-such-program", [])).toMatchObject({ code: 127, timedOut: false })
})

it("ends a program and its descendants at the timeout", async () => {
  const name = `timeout-${process.pid}`
  const result = await run("a step", "sh", sleeping(name), { timeoutSeconds: 0.5 })
  expect(result).toMatchObject({ code: 143, timedOut: true })
  expect(running(name)).toEqual([])
})

it("ends a program and its descendants when it is interrupted, and throws Interrupted", async () => {
  const name = `interrupted-${process.pid}`
  const source = `
    import { run } from ${JSON.stringify(new URL("run.mjs", import.meta.url).href)}
    await run("a step", "sh", ${JSON.stringify(sleeping(name))}, { show: true }).catch((error) => {
      process.exitCode = error.exitCode
    })`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  const exit = once(child, "exit")
  for await (const line of createInterface(child.stderr)) if (line === "ready") break
  child.kill("SIGTERM")
  expect(await exit).toEqual([143, null])
  expect(running(name)).toEqual([])
})
