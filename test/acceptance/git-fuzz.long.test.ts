/** Broken and hostile git requests: no error of the forge, nothing left behind, and bounded memory. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it, onTestFinished, vi } from "vitest"
import { isLong, sample } from "../LongTests.test-support.ts"
import { git, request, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import {
  distance,
  generator,
  mutate,
  object,
  objectHeader,
  pack,
  packet,
  repeatingDelta,
  sendRaw,
  watchMemory
} from "./GitFuzz.test-support.ts"
import { addCommit, refsOf, runGit, serveEmpty, tree } from "./GitPush.test-support.ts"

const TIMEOUT = 180_000
const zero = "0".repeat(40)
const unknown = "1".repeat(40)

/** Maximum memory in MB of the forge, and of a git process, whose allocations are at most 256 MB each. */
const maxMemory = { forge: 450, git: 600 }

/** Starts a forge with a repository, sends requests, and checks the remaining files and processes. */
const start = async () => {
  const forge = await serveEmpty()
  const { clone, name, path, root, serving, url } = forge
  for (const file of ["one", "two", "three"]) addCommit(clone, file)
  expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
  const main = refsOf(path)["refs/heads/main"] ?? ""
  const memory = watchMemory(serving)
  onTestFinished(memory.stop)
  const statuses = new Map<number, number>()
  const post = async (service: string, body: Buffer, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${serving.url}/${name}.git/${service}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${serving.token}`,
        "content-type": `application/x-${service}-request`,
        ...headers
      },
      body: new Uint8Array(body)
    })
    // The forge closes the connection if the request turns out to be broken after git has printed something.
    const text = await response.text().catch(() => "")
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500) expect([body.subarray(0, 200).toString("latin1"), headers, text]).toBe(response.status)
    return text
  }
  /** The forge works, and only has the pushed objects. */
  const check = async () => {
    await vi.waitFor(
      () => {
        expect(tree(join(path, "objects")).filter((file) => /incoming|tmp_/.test(file))).toEqual([])
        expect(tree(join(root, "data/git")).filter((file) => /^\.new-|^pushes\//.test(file))).toEqual([])
        expect(tree(path).filter((file) => file.endsWith(".lock"))).toEqual([])
      },
      { timeout: 20_000 }
    )
    expect(refsOf(path)["refs/heads/main"]).toBe(main)
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
    addCommit(clone, "last")
    expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
    if (process.platform === "linux") {
      expect(memory.highest.forge).toBeLessThan(maxMemory.forge)
      expect(memory.highest.git).toBeLessThan(maxMemory.git)
    }
  }
  return { ...forge, check, main, post, statuses }
}

const inParallel = async <A>(items: ReadonlyArray<A>, run: (item: A) => Promise<unknown>) => {
  const rest = [...items]
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await run(item)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

const CAPABILITIES = "report-status side-band-64k delete-refs atomic ofs-delta push-options"

it("survives broken pushes", { timeout: TIMEOUT }, async () => {
  const { check, clone, main, path, post, statuses } = await start()
  const random = generator(7)
  const next = addCommit(clone, "pushed")
  const command = packet(`${zero} ${next} refs/heads/fuzz\0${CAPABILITIES}`)
  const packed = execFileSync("git", ["pack-objects", "--revs", "--stdout", "--quiet"], {
    cwd: clone,
    input: `${next}\n^${main}\n`
  })
  const whole = Buffer.concat([Buffer.from(`${command}0000${packet("ci.skip")}0000`), packed])
  const ends = [0, 1, 4, 44, command.length, command.length + 4, whole.length - packed.length, whole.length - 20]
  const bodies = [
    ...sample(ends).flatMap((end) => [whole.subarray(0, end), whole.subarray(0, end + 1)]),
    ...Array.from({ length: isLong ? 60 : 20 }, () => mutate(whole, random))
  ]
  await inParallel(bodies, (body) => post("git-receive-pack", body))
  expect(Object.keys(refsOf(path)).every((name) => name.startsWith("refs/"))).toBe(true)
  expect([...statuses.keys()].every((status) => [200, 400, 413].includes(status))).toBe(true)
  await check()
})

it("survives hostile commands and packs", { timeout: TIMEOUT }, async () => {
  const { base, check, main, path, post, serving } = await start()
  const before = { refs: refsOf(path), objects: tree(join(path, "objects")) }
  const list = (lines: ReadonlyArray<string>) => Buffer.from(`${lines.map(packet).join("")}0000`)
  const create = (ref: string, id = main) => `${zero} ${id} ${ref}\0${CAPABILITIES.replace(" push-options", "")}`
  const empty = pack([])
  const commands = (...lines: ReadonlyArray<string>) => Buffer.concat([list(lines), empty])
  const names = [
    "HEAD",
    "refs/heads/../x",
    "refs/heads/x\n",
    "refs/heads/x\u001b[31m",
    "refs/heads/.x",
    "refs/heads/x.lock",
    "refs/heads/main/x",
    "refs/heads",
    "refs/heads/",
    "refs/bisect/x",
    "refs/worktree/x",
    "worktrees/x/HEAD",
    "main-worktree/HEAD",
    `refs/heads/${"x".repeat(300)}`,
    `refs/heads/${"x/".repeat(600)}y`,
    "../../config",
    "/etc/passwd",
    ""
  ]
  const zeros = Buffer.alloc(16 * 1024 * 1024)
  const blob = object(3, zeros)
  const offset = distance(blob.length)
  const push = (...parts: ReadonlyArray<Buffer>) => Buffer.concat([list([create("refs/heads/x", unknown)]), ...parts])
  /** A blob, a tree, a tag, a delta that describes 2 GB, and many blobs. */
  const bombs = [
    () => [object(3, Buffer.alloc(300 * 1024 * 1024))],
    () => [object(2, Buffer.alloc(200 * 1024 * 1024, "100644 a\0"))],
    () => [object(4, Buffer.alloc(300 * 1024 * 1024, "a"))],
    () => [blob, object(6, repeatingDelta(zeros.length, 128), offset)],
    () => [blob, ...Array.from({ length: 30 }, () => object(3, zeros.subarray(0, 8 << 20)))]
  ]
  const bodies = [
    ...sample(names).map((name) => commands(create(name))),
    // Twice the same reference, a reference and one below the first, a wrong old id, missing objects.
    commands(create("refs/heads/x"), `${zero} ${main} refs/heads/x`),
    commands(create("refs/heads/x", unknown)),
    commands(`${unknown} ${main} refs/heads/main\0${CAPABILITIES}`),
    commands(`${zero} ${zero} refs/heads/none\0report-status`),
    commands(create("refs/heads/x", "f".repeat(64))),
    commands(...Array.from({ length: 100_000 }, (_, at) => `${zero} ${main} refs/heads/${at}\0report-status`)),
    list([...Array.from({ length: 20_000 }, () => `shallow ${unknown}`), create("refs/heads/x")]),
    Buffer.concat([list([create("refs/heads/x")]), list(Array.from({ length: 5000 }, () => "x".repeat(60_000)))]),
    Buffer.from(
      `${packet(`push-cert\0${CAPABILITIES}`)}${packet("certificate version 0.1\n")}${packet("pusher x\n")}${packet("\n")}${packet(`${zero} ${main} refs/heads/x\n`)}${packet("-----BEGIN PGP SIGNATURE-----\n")}${packet("push-cert-end\n")}0000`
    ),
    Buffer.from(`fff1${"x".repeat(65_521)}`),
    Buffer.from("0001000200030004"),
    // Fewer and more objects than the header claims, and deltas without, before and inside of themselves.
    push(pack([object(3, Buffer.from("a"))], 0)),
    push(pack([object(3, Buffer.from("a"))], 2)),
    push(pack([object(7, repeatingDelta(1, 1), Buffer.alloc(20, 1))])),
    push(pack([object(6, repeatingDelta(1, 1), Buffer.from([0]))])),
    push(pack([object(6, repeatingDelta(1, 1), Buffer.from([1]))])),
    push(pack([object(6, repeatingDelta(1, 1), Buffer.alloc(12, 0xff))])),
    push(pack([object(0, Buffer.from("a"))])),
    push(pack([object(5, Buffer.from("a"))])),
    push(pack([Buffer.concat([objectHeader(3, 2 ** 52), Buffer.from("x")])])),
    ...sample(bombs).map((make) => push(pack(make())))
  ]
  for (const body of bodies) {
    const text = await post("git-receive-pack", body)
    // git repeats the name in a report, and the forge in sentences.
    expect(
      [/ok refs\/(?!heads\/none)/.test(text), text.includes("\u001b[31m:")],
      body.subarray(0, 120).toString("latin1")
    ).toEqual([false, false])
  }
  expect({ refs: refsOf(path), objects: tree(join(path, "objects")) }).toEqual(before)
  const { json: events } = await request(serving, "GET", `${base}/events`)
  expect(events.map(({ type }: { type: string }) => type)).toEqual(["CreateEvent"])
  await check()
})

it("survives broken and hostile fetches", { timeout: TIMEOUT }, async () => {
  const { check, main, name, post, serving } = await start()
  const random = generator(11)
  const v2 = { "git-protocol": "version=2" }
  const second = (command: string, ...args: ReadonlyArray<string>) =>
    Buffer.from(`${packet(`command=${command}`)}${packet("object-format=sha1")}0001${args.map(packet).join("")}0000`)
  const first = (lines: ReadonlyArray<string>, end = packet("done\n")) =>
    Buffer.from(`${lines.map(packet).join("")}0000${end}`)
  const want = `want ${main} side-band-64k ofs-delta shallow deepen-since deepen-not filter\n`
  const arguments_ = [
    "deepen 0",
    "deepen -1",
    "deepen 99999999999999",
    "deepen-since x",
    "deepen-since -1",
    "deepen-not refs/heads/none",
    "deepen-not \u001b[31m",
    `shallow ${unknown}`,
    "shallow x",
    "filter x",
    "filter blob:limit=99999999999999999999g",
    "filter tree:-1",
    `filter sparse:oid=${main}:one`,
    "filter sparse:path=/etc/passwd",
    "filter object:type=x",
    `filter combine:${Array.from({ length: 2000 }, () => "blob:none").join("+")}`,
    `filter ${"combine:".repeat(2000)}blob:none`,
    "packfile-uris https,file",
    "want-ref refs/heads/none",
    `have ${unknown}`,
    `want ${zero}`,
    `want ${"x".repeat(60_000)}`,
    "x"
  ]
  const wants = Array.from({ length: 10_000 }, (_, at) => `want ${at.toString(16).padStart(40, "0")}`)
  const mutations = isLong ? 40 : 10
  const good = second("fetch", `want ${main}`, "done")
  const bodies: ReadonlyArray<readonly [Buffer, Readonly<Record<string, string>>?]> = [
    ...sample(arguments_).map((line) => [second("fetch", `want ${main}`, line, "done"), v2] as const),
    ...sample(arguments_).map((line) => [first([want, line])] as const),
    [second("fetch", ...wants, "done"), v2],
    [first([want, ...wants])],
    [second("fetch", ...Array.from({ length: 10_000 }, () => `want ${main}`), "done"), v2],
    [second("ls-refs", ...Array.from({ length: 70_000 }, (_, at) => `ref-prefix ${at}`)), v2],
    [second("object-info", "size", `oid ${unknown}`), v2],
    [second("none"), v2],
    [good, { "git-protocol": "version=2:version=1:x=\u00ff" }],
    [good, { "git-protocol": "version=99" }],
    [good, { "git-protocol": "x".repeat(8000) }],
    ...Array.from({ length: mutations }, () => [mutate(good, random), v2] as const),
    ...Array.from({ length: mutations }, () => [mutate(first([want]), random)] as const),
    ...[
      gzipSync(good).subarray(0, -9),
      good,
      Buffer.concat([gzipSync(good), good]),
      gzipSync(Buffer.alloc(64 << 20))
    ].map((body) => [body, { ...v2, "content-encoding": "gzip" }] as const),
    [good, { ...v2, "content-encoding": "br" }],
    [good, { ...v2, "content-encoding": "gzip, gzip" }]
  ]
  await inParallel(bodies, ([body, headers]) => post("git-upload-pack", body, headers))
  await rawRequests(serving, name)
  await check()
})

/** Requests whose head and body contradict each other, and paths. */
const rawRequests = async (serving: ForgeProcess, name: string) => {
  const service = "git-receive-pack"
  const head = (path: string, ...headers: ReadonlyArray<string>) =>
    [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${serving.token}`, ...headers, "", ""].join("\r\n")
  const type = `Content-Type: application/x-${service}-request`
  const path = `/${name}.git/${service}`
  const requests = [
    ...["Content-Length: 1000", "Content-Length: 99999999999999", "Content-Length: -1", "Content-Length: 4, 5"].map(
      (length) => `${head(path, type, length)}0000`
    ),
    ...["5\r\n0000", "ffffffff\r\n0000", "-1\r\n", "x\r\n0000\r\n", "4\r\n0000\r\n0\r\n"].map(
      (chunk) => head(path, type, "Transfer-Encoding: chunked") + chunk
    ),
    `${head(path, type, "Transfer-Encoding: chunked", "Content-Length: 4")}0\r\n\r\n`,
    ...[
      "/../../etc/passwd.git/git-receive-pack",
      `/${name}.git.git/git-receive-pack`,
      `/${name.replace("/", "%2f")}.git/git-receive-pack`,
      `/${name}%00.git/git-receive-pack`,
      `/${name}%0a.git/git-receive-pack`,
      `/${encodeURIComponent("é")}/\u00e9.git/git-receive-pack`,
      "/%2e%2e/%2e%2e.git/git-receive-pack",
      "//.git/git-receive-pack",
      `/${"x".repeat(4000)}/${"y".repeat(4000)}.git/git-receive-pack`,
      `/${name}.git/objects/../../config`,
      `/${name}.git/HEAD`
    ].map((other) => `${head(other, type, "Content-Length: 4")}0000`)
  ]
  for (const request of requests) {
    const status = await sendRaw(serving, request)
    expect(status < 500 || status === 503, `${status} ${request.slice(0, 300)}`).toBe(true)
  }
}
