/** A forge that signs the commits that it creates, checked with git and gpg. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { type ForgeProcess, git, request, serve } from "./ForgeProcess.test-support.ts"
import { serveEmpty } from "./GitPush.test-support.ts"

const TIMEOUT = 120_000

const write = async (forge: ForgeProcess, base: string, path: string, branch: string) => {
  const body = { message: path, content: "", branch }
  const { json, status } = await request(forge, "PUT", `${base}/contents/${path}`, body)
  expect(status).toBe(201)
  return json.commit
}

const keyOf = async (forge: ForgeProcess) => (await request(forge, "GET", "/meta")).json.commit_signing_key

it.skipIf(!hasPrograms("gpg"))(
  "signs a merge so that git accepts it, and verifies it after a start without the option",
  { timeout: TIMEOUT },
  async () => {
    const { base, path, root, serving } = await serveEmpty("--sign-commits")
    const { sha } = await write(serving, base, "a.txt", "main")
    await request(serving, "POST", `${base}/git/refs`, { ref: "refs/heads/topic", sha })
    await write(serving, base, "b.txt", "topic")
    const pull = await request(serving, "POST", `${base}/pulls`, { title: "Merge me", head: "topic", base: "main" })
    const merged = await request(serving, "PUT", `${base}/pulls/${pull.json.number}/merge`, {})
    expect(merged.status).toBe(200)

    const publicKey = await keyOf(serving)
    const home = join(root, "gnupg")
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, "forge.asc"), publicKey)
    writeFileSync(join(home, "gpg.sh"), `#!/bin/sh\nexec gpg --homedir '${home}' "$@"\n`, { mode: 0o700 })
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", "--import", join(home, "forge.asc")], {
      stdio: "ignore"
    })
    git(path, ["-c", `gpg.program=${join(home, "gpg.sh")}`, "verify-commit", merged.json.sha])
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"])

    await serving.kill("SIGTERM")
    const again = await serve(root)
    expect(await keyOf(again)).toBe(publicKey)
    const read = await request(again, "GET", `${base}/commits/${merged.json.sha}`)
    expect(read.json.commit.verification).toMatchObject({ verified: true, reason: "valid" })
    expect((await write(again, base, "c.txt", "main")).verification.reason).toBe("unsigned")

    // No other file of the data folder has the private key.
    const secret =
      readFileSync(join(root, "data", "commit-signing.key"), "utf8")
        .split("\n")
        .at(3) ?? ""
    expect(secret.length).toBeGreaterThan(40)
    const files = readdirSync(join(root, "data"), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile()
    )
    const holders = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes(secret))
    expect(holders.map(({ name }) => name)).toEqual(["commit-signing.key"])
  }
)
