/** Dependencies that the program loads from files beside the chunks of the bundle. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { program, temporaryFolder } from "./TongsCommand.test-support.ts"

const SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n \n abc\n =def\n -----END PGP SIGNATURE-----"

/** Creates a repository whose commit has a PGP signature. */
const signedRepository = () => {
  const folder = temporaryFolder()
  const git = (args: ReadonlyArray<string>, input = "") =>
    execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder },
      input
    })
  git(["init", "--quiet"])
  const tree = git(["mktree"]).trim()
  const person = "Ada <ada@example.com> 1700000000 +0000"
  const commit = `tree ${tree}\nauthor ${person}\ncommitter ${person}\ngpgsig ${SIGNATURE}\n\nSign\n`
  const sha = git(["hash-object", "-t", "commit", "-w", "--stdin"], commit).trim()
  git(["update-ref", "HEAD", sha])
  return { folder, sha }
}

it("reads PGP signatures with openpgp, which users may replace", () => {
  const { folder, sha } = signedRepository()
  const reasonOf = (file: string): unknown => {
    const output = execFileSync(process.execPath, [file, "git-commits", "get", sha, "--json"], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder }
    })
    return Object(JSON.parse(output)).verification.reason
  }
  expect(reasonOf(program)).toBe("malformed_signature")
  const copy = join(temporaryFolder(), "dist")
  cpSync(dirname(program), copy, { recursive: true })
  writeFileSync(join(copy, "openpgp/openpgp.mjs"), "throw new Error('replaced')")
  expect(reasonOf(join(copy, "tongs.js"))).toBe("gpgverify_unavailable")
})

it.each(["--help", "api /user"])("runs %s without the undici of Node, which takes 50 ms to load", (command) => {
  const print = `process.on("exit", () => console.error(process.moduleLoadList.filter((name) => /undici/.test(name)).join()))`
  const folder = temporaryFolder()
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(print)}`, program, ...command.split(" ")],
    { cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: folder } }
  )
  expect([status, stderr.trim()]).toEqual([0, ""])
})
