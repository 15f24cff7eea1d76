import { expect, it } from "vitest"
import { ghFor, hasGh } from "./GhCommand.test-support.ts"
import { git, serveCommits } from "./ForgeProcess.test-support.ts"

it.skipIf(!hasGh)(
  "gh and openssl: `gh api --paginate` reads a reference, a commit, a blob and the whole log",
  async () => {
    const { base, path, root, serving } = await serveCommits(320, "--dialect", "github")
    const oid = git(path, ["hash-object", "-w", "--stdin"], "héllo\n")
    const head = git(path, ["rev-parse", "main"])
    const { run } = await ghFor(root, serving)
    const api = (...args: ReadonlyArray<string>) => run("api", ...args)

    expect(await api("user", "--jq", ".login")).toBe(base.split("/")[2])
    expect(await api(`${base}/git/ref/heads/main`, "--jq", ".object.sha")).toBe(head)
    expect(await api(`${base}/git/commits/${head}`, "--jq", ".message")).toBe("319")
    expect(await api(`${base}/git/blobs/${oid}`, "--jq", ".content|@base64d")).toBe("héllo")
    const log = await api("--paginate", `${base}/commits?per_page=100`, "--jq", ".[].sha")
    expect(log).toBe(git(path, ["rev-list", "main"]))

    expect(await api(`${base}/git/refs`, "-f", "ref=refs/heads/by-gh", "-f", `sha=${head}`, "--jq", ".ref")).toBe(
      "refs/heads/by-gh"
    )
    expect(git(path, ["rev-parse", "by-gh"])).toBe(head)
    await api("-X", "DELETE", `${base}/git/refs/heads/by-gh`)
    expect(git(path, ["for-each-ref", "refs/heads/by-gh"])).toBe("")
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  }
)
