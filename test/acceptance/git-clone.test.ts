import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sample } from "../LongTests.test-support.ts"
import {
  isCluster,
  commit,
  type ForgeProcess,
  git,
  request,
  serve,
  temporaryFolder
} from "./ForgeProcess.test-support.ts"
import { gitOutput, runGit, withToken } from "./GitClient.test-support.ts"

/** Creates a work tree with a file of several versions, a tag and a branch. */
const workTree = (root: string, name: string, ...flags: ReadonlyArray<string>): string => {
  const path = join(root, "repos", name)
  git(root, ["init", "--quiet", "--initial-branch=main", ...flags, path])
  for (const version of ["one", "two", "three"])
    commit(path, { "a.txt": `${version}\n`, [`dir/${version}.txt`]: version }, version)
  git(path, ["tag", "-a", "v1", "-m", "first", "HEAD~1"])
  git(path, ["branch", "topic", "HEAD~1"])
  git(path, ["reset", "--quiet", "--hard"])
  return path
}

/** Starts a forge; `cloneUrl` reads the address of a repository from the API. */
const start = async (prepare: (root: string) => void, ...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  prepare(root)
  const forge = await serve(root, ...flags)
  const { json: user } = await request(forge, "GET", "/user")
  const cloneUrl = async (name: string): Promise<string> =>
    (await request(forge, "GET", `/repos/${user.login}/${name}`)).json.clone_url
  const publish = (name: string) => request(forge, "PATCH", `/repos/${user.login}/${name}`, { private: false })
  return { root, forge, owner: String(user.login), cloneUrl, publish }
}

const protocols = ["0", "1", "2"]

it.each(sample(protocols.toReversed()))(
  "git sends the request of many references compressed (protocol version %s)",
  async (version) => {
    const { cloneUrl, forge, root } = await start((root) => {
      const path = workTree(root, "app")
      for (let index = 0; index < 60; index++)
        git(path, ["update-ref", `refs/heads/b${index}`, git(path, ["commit-tree", "-m", `${index}`, "HEAD^{tree}"])])
    })
    const url = withToken(await cloneUrl("app"), forge.token)
    const traced = await runGit(root, ["-c", `protocol.version=${version}`, "clone", "--bare", url, "copy"], {
      GIT_TRACE_CURL: "1",
      GIT_TRACE_CURL_NO_DATA: "1"
    })
    expect(traced.code, traced.stderr).toBe(0)
    expect(traced.stderr.toLowerCase()).toContain("send header: content-encoding: gzip")
    const list = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]
    expect(git(join(root, "copy"), list)).toBe(git(join(root, "repos/app"), list))
  }
)

it.each(sample(["service", "github"]))(
  "git clones, fetches and lists an adopted work tree (%s dialect)",
  async (dialect) => {
    const { cloneUrl, forge, publish, root } = await start((root) => workTree(root, "app"), "--dialect", dialect)
    const served = join(root, "repos/app")
    await publish("app")
    const url = await cloneUrl("app")
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[^/]+\/app\.git$/)
    const head = git(served, ["rev-parse", "main"])

    for (const version of protocols) {
      const name = `v${version}`
      await gitOutput(root, "-c", `protocol.version=${version}`, "clone", "--quiet", url, name)
      const clone = join(root, name)
      expect(git(clone, ["rev-parse", "HEAD", "origin/topic", "v1^{}"])).toBe(
        git(served, ["rev-parse", "main", "topic", "v1^{}"])
      )
      expect(readFileSync(join(clone, "a.txt"), "utf8")).toBe("three\n")
      expect(git(clone, ["fsck", "--strict"])).toBe("")
      expect(await gitOutput(root, "-c", `protocol.version=${version}`, "ls-remote", url)).toBe(
        git(served, ["ls-remote", served])
      )
    }

    // A fetch after ten commits, also with a push in between, and from a clone without `.git` in the URL.
    const [parent] = Array.from({ length: 10 }, (_, index) =>
      commit(served, { "a.txt": `${index}\n` }, `new ${index}`)
    ).slice(-1)
    for (const version of protocols) {
      const clone = join(root, `v${version}`)
      git(clone, ["remote", "set-url", "origin", url.replace(/\.git$/, "")])
      await gitOutput(clone, "-c", `protocol.version=${version}`, "fetch", "--quiet")
      expect(git(clone, ["rev-parse", "origin/main"])).toBe(parent)
      expect(git(clone, ["rev-list", "--count", `${head}..origin/main`])).toBe("10")
      expect(git(clone, ["fsck", "--strict"])).toBe("")
    }

    const shallow = join(root, "shallow")
    await gitOutput(root, "clone", "--quiet", "--depth", "1", url, shallow)
    expect(git(shallow, ["rev-list", "--count", "HEAD"])).toBe("1")
    await gitOutput(shallow, "fetch", "--quiet", "--deepen", "2")
    expect(git(shallow, ["rev-list", "--count", "HEAD"])).toBe("3")
    await gitOutput(shallow, "fetch", "--quiet", "--unshallow")
    expect(git(shallow, ["rev-list", "--count", "HEAD"])).toBe("13")
    const since = await runGit(root, ["clone", "--shallow-since=2099-01-01", url, "never"])
    expect(since.stderr).toMatch(/remote error: |error processing shallow info/)

    const unknown = await runGit(shallow, ["fetch", "origin", "1".repeat(40)])
    expect(unknown.stderr).toContain(`not our ref ${"1".repeat(40)}`)
    // An object that no reference names, by id.
    const blob = git(served, ["hash-object", "-w", "--stdin"], "unreferenced\n")
    await gitOutput(shallow, "fetch", "--quiet", "origin", blob)
    expect(git(shallow, ["cat-file", "-p", blob])).toBe("unreferenced")

    const partial = join(root, "partial")
    await gitOutput(root, "clone", "--quiet", "--filter=blob:none", "--no-checkout", url, partial)
    const missing = () =>
      git(partial, ["rev-list", "--objects", "--all", "--missing=print"]).match(/^\?/gm)?.length ?? 0
    const before = missing()
    expect(before).toBeGreaterThan(10)
    await gitOutput(partial, "checkout", "--quiet", "HEAD~10")
    expect(readFileSync(join(partial, "a.txt"), "utf8")).toBe("three\n")
    expect(missing()).toBe(before - 4)
    await gitOutput(root, "clone", "--quiet", "--filter=tree:0", "--depth", "1", url, "treeless")
    expect(readFileSync(join(root, "treeless/a.txt"), "utf8")).toBe("9\n")

    await forge.kill("SIGTERM")
  }
)

it("git clones private repositories with a token only, and never waits for a password", async () => {
  const { cloneUrl, forge, owner, root } = await start((root) => workTree(root, "secret"))
  const url = await cloneUrl("secret")
  const { token } = forge
  const urls = [
    withToken(url, token),
    withToken(url, token, "anyone"),
    url.replace("://", `://${token}@`),
    url.replace("://", `://${token}:x-oauth-basic@`)
  ]
  for (const [index, one] of urls.entries()) {
    await gitOutput(root, "clone", "--quiet", one, `clone${index}`)
    expect(readFileSync(join(root, `clone${index}`, "a.txt"), "utf8")).toBe("three\n")
  }
  await gitOutput(root, "-c", `http.extraHeader=Authorization: Bearer ${token}`, "ls-remote", url)

  const anonymous = await runGit(root, ["clone", url, "anonymous"])
  expect(anonymous.stderr).toContain("terminal prompts disabled")
  expect(existsSync(join(root, "anonymous"))).toBe(false)
  const wrong = await runGit(root, ["clone", withToken(url, "wrong"), "wrong"])
  expect(wrong.stderr).toContain("remote: Invalid token.")
  expect(wrong.stderr).toContain("Authentication failed")
  const absent = await runGit(root, ["ls-remote", withToken(url.replace("secret", "absent"), token)])
  expect(absent.stderr).toContain("remote: Repository not found.")

  // The former name redirects, and git follows.
  await request(forge, "PATCH", `/repos/${owner}/secret`, { name: "moved" })
  await gitOutput(join(root, "clone0"), "fetch", "--quiet")
  const moved = await runGit(join(root, "clone0"), ["ls-remote", "origin"])
  expect(moved.stderr).toContain("redirecting to")
  expect(moved.stdout).toContain("refs/heads/topic")
})

it("git clones an empty repository, one with SHA-256, a detached HEAD and borrowed objects", async () => {
  const { cloneUrl, forge, root } = await start((root) => {
    git(root, ["init", "--quiet", "--bare", "--initial-branch=trunk", join(root, "repos/empty.git")])
    workTree(root, "sha256", "--object-format=sha256")
    const detached = workTree(root, "detached")
    git(detached, ["checkout", "--quiet", "--detach", "HEAD~2"])
    git(root, ["clone", "--quiet", "--shared", "--bare", detached, join(root, "repos/borrowing.git")])
  })
  const clone = async (name: string) => {
    await gitOutput(root, "clone", "--quiet", withToken(await cloneUrl(name), forge.token), name)
    return join(root, name)
  }
  const empty = await clone("empty")
  expect(git(empty, ["symbolic-ref", "HEAD"])).toBe("refs/heads/trunk")
  const sha256 = await clone("sha256")
  expect(git(sha256, ["rev-parse", "HEAD"])).toMatch(/^[0-9a-f]{64}$/)
  expect(git(sha256, ["fsck", "--strict"])).toBe("")
  const detached = await clone("detached")
  expect(git(detached, ["symbolic-ref", "HEAD"])).toBe("refs/heads/main")
  expect(readFileSync(join(detached, "a.txt"), "utf8")).toBe("three\n")
  const borrowing = await clone("borrowing")
  expect(git(borrowing, ["fsck", "--strict"])).toBe("")
})

/** The processes of git that a forge has started and that upload. */
const uploads = ({ pid }: ForgeProcess): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("upload-pack"))

it.skipIf(process.platform !== "linux" || isCluster)(
  "a client that disconnects or stops reading ends or pauses git",
  async () => {
    const { forge, owner, publish, root } = await start((root) => {
      const path = workTree(root, "big")
      // Random bytes, which do not compress: 160 MB, in files that are too large for the search index.
      for (let file = 0; file < 4; file++) writeFileSync(join(path, `${file}.bin`), randomBytes(40 << 20))
      git(path, ["-c", "core.compression=0", "add", "."])
      git(path, ["-c", "core.compression=0", "-c", "core.bigFileThreshold=1k", "commit", "--quiet", "-m", "big"])
    })
    await publish("big")
    const oid = git(join(root, "repos/big"), ["rev-parse", "main"])
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text
    const body = `${line(`want ${oid} side-band-64k\n`)}0000${line("done\n")}`
    const { hostname, port } = new URL(forge.url)
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    socket.write(
      `POST /${owner}/big.git/git-upload-pack HTTP/1.1\r\nHost: x\r\n` +
        `Content-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await once(socket, "readable")
    socket.read(1)
    const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${forge.pid}/status`, "utf8"))?.[1]) / 1024
    const before = memory()
    // Git waits: the pipe, the buffers of the forge and of the sockets are full. The search index reads the files at the
    // same time, in small parts that V8 frees late. A forge that did not wait would hold all 160 MB.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(uploads(forge)).toHaveLength(1)
    expect(memory() - before).toBeLessThan(130)
    socket.destroy()
    await expect.poll(() => uploads(forge), { timeout: 5000 }).toEqual([])
  }
)
