import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./workspace.mjs"

/** Packages with a binary for each platform: the name without the platform, by the naming of platforms. */
const packages = {
  napi: [
    "@napi-rs/keyring-",
    "@oxc-parser/binding-",
    "@oxfmt/binding-",
    "@oxlint/binding-",
    "@rolldown/binding-",
    "lightningcss-"
  ],
  tsgolint: ["@oxlint-tsgolint/"],
  turbo: ["@turbo/"]
}

const platforms = {
  napi: ["darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu", "win32-x64-msvc"],
  tsgolint: ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"],
  turbo: ["darwin-arm64", "darwin-64", "linux-arm64", "linux-64", "windows-64"]
}

// pnpm silently omits a binary from the lockfile if the registry lacks it. The tool then fails on that platform.
it("has the binaries of macOS, Linux and Windows", () => {
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
  const missing = Object.entries(packages).flatMap(([naming, names]) =>
    names.flatMap((name) =>
      platforms[naming].map((platform) => name + platform).filter((binary) => !lockfile.includes(`${binary}@`))
    )
  )
  expect(missing).toEqual([])
})
