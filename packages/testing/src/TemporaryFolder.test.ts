import { existsSync } from "node:fs"
import { assert, it } from "vitest"
import * as TemporaryFolder from "./TemporaryFolder.ts"

it("removes folders, and listens to the end of the process only meanwhile", async () => {
  const count = () => process.listenerCount("exit") + process.listenerCount("beforeExit")
  const before = count()
  const folders = [TemporaryFolder.make(), TemporaryFolder.make()]
  assert.strictEqual(count(), before + 2)
  await Promise.all(folders.map(({ remove }) => remove()))
  assert.strictEqual(count(), before)
  assert.isFalse(folders.some(({ path }) => existsSync(path)))
})
