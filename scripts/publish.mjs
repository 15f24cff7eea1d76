/**
 * `node scripts/publish.mjs [FLAGS of npm publish]`: publishes the files of `npm run pack`, except the versions that the
 * registry has already, so that an interrupted release can be repeated.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

const folder = join(root, "dist-packages")
const shell = process.platform === "win32"

for (const file of readdirSync(folder).filter((name) => name.endsWith(".tgz"))) {
  const manifest = execFileSync("tar", ["-xzOf", file, "package/package.json"], { cwd: folder, encoding: "utf8" })
  const { name, version } = JSON.parse(manifest)
  const published = spawnSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8", shell })
  if (published.stdout.trim() === version) {
    console.log(`${name} ${version} is published already`)
    continue
  }
  const args = ["publish", `./${file}`, "--access=public", ...process.argv.slice(2)]
  execFileSync("npm", args, { cwd: folder, shell, stdio: "inherit" })
}
