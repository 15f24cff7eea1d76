import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import * as ProcessName from "./ProcessName.ts"

const DAY = 86_400_000
const ended = String(spawnSync("true").pid)

const parse = (name: string) => {
  const [, pid, host] = new RegExp(`^${ProcessName.PATTERN}$`).exec(name) ?? []
  return [pid, host] as const
}

const hasEnded = (name: string, age: number) => ProcessName.hasEnded(...parse(name), age)

it("only the age decides about a process of another host", () => {
  const [pid, host] = parse(ProcessName.own)
  assert.strictEqual(pid, String(process.pid))
  assert.isFalse(hasEnded(ProcessName.own, 10 * DAY))
  assert.isTrue(hasEnded(`${ended}.${host}`, 0))
  for (const id of [pid, ended]) {
    assert.isFalse(hasEnded(`${id}.0123456789ab`, DAY))
    assert.isTrue(hasEnded(`${id}.0123456789ab`, DAY + 1))
  }
})

it("a name without a host is of this host", () => {
  assert.isFalse(hasEnded(String(process.pid), 10 * DAY))
  assert.isTrue(hasEnded(ended, 0))
})
