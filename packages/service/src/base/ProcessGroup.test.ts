import { spawn } from "node:child_process"
import { once } from "node:events"
import { assert, it } from "@effect/vitest"
import * as ProcessGroup from "./ProcessGroup.ts"
import { isRunning } from "./RunningProcess.ts"

/** A shell in a separate process group, which starts a child and prints the child's id. */
const start = async (script: string) => {
  const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] })
  const group = ProcessGroup.of(child)
  const [line] = await once(child.stdout, "data")
  return { child, group, grandchild: Number(String(line)) }
}

const gone = (group: ProcessGroup.ProcessGroup) => new Promise<void>((resolve) => group.whenGone(resolve))

it("ends the children of a process with it", async () => {
  const { child, grandchild, group } = await start("sleep 60 & echo $!; wait")
  group.end()
  await gone(group)
  assert.deepStrictEqual([isRunning(child.pid ?? 0), isRunning(grandchild)], [false, false])
})

it("ends the children that a process leaves behind", async () => {
  const { child, grandchild, group } = await start("sleep 60 & echo $!")
  await gone(group)
  assert.strictEqual(child.exitCode, 0)
  assert.isFalse(isRunning(grandchild))
})

it("kills after a second what ignores SIGTERM, and is not gone before", async () => {
  const { grandchild, group } = await start("(trap '' TERM; exec sleep 60) & trap '' TERM; sleep 0.2; echo $!; exit 0")
  let isGone = false
  group.whenGone(() => {
    isGone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.deepStrictEqual([isGone, isRunning(grandchild)], [false, true])
  await gone(group)
  assert.isFalse(isRunning(grandchild))
})

it("is gone for a program that cannot be started", async () => {
  const child = spawn("/nonexistent/program", { detached: true })
  const group = ProcessGroup.of(child)
  await once(child, "error")
  group.signal("SIGTERM")
  group.end()
  await gone(group)
})
