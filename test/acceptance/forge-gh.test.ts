import { join } from "node:path"
import { expect, it } from "vitest"
import { gh, ready } from "./Gh.test-support.ts"
import { folder, git, manyCommits, request, serve } from "./Serve.test-support.ts"

it.skipIf(!ready)(
  "gh and openssl: `gh api --paginate` reads a reference, a commit, a blob and the whole log",
  async () => {
    const root = folder()
    const path = join(root, "repos", "long.git")
    git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
    manyCommits(path, "main", 320)
    const oid = git(path, ["hash-object", "-w", "--stdin"], "héllo\n")
    const head = git(path, ["rev-parse", "main"])

    const serving = await serve(root, "--dialect", "github")
    const { run } = await gh(root, serving)
    const api = (...args: ReadonlyArray<string>) => run("api", ...args)
    const { json: user } = await request(serving, "GET", "/user")
    const base = `repos/${user.login}/long`

    expect(await api("user", "--jq", ".login")).toBe(user.login)
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
