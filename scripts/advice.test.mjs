import { expect, it } from "vitest"
import { failureOf } from "./advice.mjs"

it.each([
  ["npm error code ENOSPC\nnpm error nospc no space left on device", "The disk is full"],
  ["ERROR failed to write: No space left on device (os error 28)", "The disk is full"],
  ["Error: EROFS: read-only file system, open '/src/tongs/.bootstrap.lock'", "A folder is not writable"],
  ["ERROR cannot create node_modules: Permission denied (os error 13)", "A folder is not writable"],
  ["npm error code SELF_SIGNED_CERT_IN_CHAIN", "certificate is not trusted"],
  ["npm error code ENOTFOUND\nnpm error request to https://x failed", "Cannot reach the package registry"],
  ["ERROR  error sending request for url (https://x/y.tgz)", "Cannot reach the package registry"]
])("says what to do about %j", (output, next) => {
  const { message } = failureOf("Installing failed", `first line\n${output}\nlast line`)
  expect(message).toMatch(/^tongs: Installing failed: /)
  expect(message).toContain(next)
  expect(message).not.toContain("last line")
  expect(message.split("\n")).toHaveLength(2)
})

it("shows the end of other output", () => {
  const output = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n")
  expect(failureOf("The build failed", output).message).toMatch(
    /^line 60\n[^]*line 99\n\ntongs: The build failed. See the output above.$/
  )
})
