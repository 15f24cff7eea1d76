import { spawn } from "node:child_process"
import { once } from "node:events"
import { assert, it } from "@effect/vitest"
import { isRunning, signalChild } from "./RunningProcess.ts"

it("signals a child process", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
  await once(child, "spawn")
  assert.isTrue(isRunning(child.pid ?? 0))
  signalChild(child, "SIGKILL")
  assert.deepStrictEqual(await once(child, "close"), [null, "SIGKILL"])
})

it("sends no signal for a program that does not exist", async () => {
  const child = spawn("/nonexistent/program")
  let signals = 0
  child.kill = () => {
    signals += 1
    return true
  }
  signalChild(child, "SIGTERM")
  await once(child, "error")
  signalChild(child, "SIGTERM")
  assert.strictEqual(signals, 0)
})
