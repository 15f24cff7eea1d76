/** Copies the declarations of the core into the package, so that it needs no other package. Run after the build. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

const dist = Path.join(import.meta.dirname, "dist")
const core = Path.join(import.meta.dirname, "../core/dist")

for (const name of Fs.globSync("**/*.d.ts", { cwd: core })) {
  const target = Path.join(dist, "core", name)
  Fs.mkdirSync(Path.dirname(target), { recursive: true })
  Fs.copyFileSync(Path.join(core, name), target)
}

/** The types of GitHub's webhook payloads. */
const payloads = Path.dirname(require.resolve("@octokit/webhooks-types/package.json"))
const license = Fs.readFileSync(Path.join(payloads, "package.json"), "utf8").includes(`"license": "MIT"`)
if (!license) throw new Error("@octokit/webhooks-types has another license now")
Fs.writeFileSync(
  Path.join(dist, "webhooks/payloads.d.ts"),
  `/* Copyright Gregor Martynus and contributors of octokit/webhooks. MIT License. */\n${Fs.readFileSync(Path.join(payloads, "schema.d.ts"), "utf8")}`
)

for (const name of Fs.globSync("**/*.d.ts", { cwd: dist, exclude: ["core/**"] })) {
  const file = Path.join(dist, name)
  const top = name.includes("/") ? ".." : "."
  const text = Fs.readFileSync(file, "utf8")
    .replaceAll(/"@tongs\/core\/([\w/]+)"/g, `"${top}/core/$1.js"`)
    .replaceAll(`"@octokit/webhooks-types"`, `"./payloads.js"`)
  Fs.writeFileSync(file, text)
}
