import { inspect } from "node:util"
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Stub from "@tongs/core/client/TransportStub.test-support"
import type { Branch } from "@tongs/core/contract/groups/Branches"
import type { GitRef } from "@tongs/core/contract/groups/GitRefs"
import { age, app, createForge, deviceFlow, type List, NotFound, type ForgeOptions, RateLimited } from "./index.ts"

type Reply = (sent: Stub.Sent, count: number) => Response | Promise<Response>

/** A client with a `fetch` that responds from a function. */
const stubbed = (reply: Reply, options: Partial<ForgeOptions> = {}) => {
  const sent: Array<Stub.Sent & { readonly init: RequestInit }> = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { body, headers, method, url } = new Request(input, init)
    const one = {
      method,
      url: new URL(url),
      headers: Object.fromEntries(headers),
      body: body === null ? "" : await new Response(body).text(),
      init
    }
    sent.push(one)
    return reply(one, sent.length)
  }
  return { forge: createForge({ baseUrl: "https://forge.test/api/v3", fetch, ...options }), sent }
}

/** Never responds; fails when the request is aborted. */
const hanging =
  (aborted: { count: number }, started?: () => void) =>
  (sent: Stub.Sent & { readonly init?: RequestInit }): Promise<Response> =>
    new Promise((_, reject) => {
      const { signal } = sent.init ?? {}
      signal?.addEventListener("abort", () => {
        aborted.count++
        reject(new Error("aborted"))
      })
      started?.()
    })

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

const collect = async <A>(items: AsyncIterable<A>) => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

const repository = { owner: "o", repo: "r" }
const ref = { ...repository, ref: "heads/a" }

describe("a call", () => {
  it("gives a Promise of the value", async () => {
    const { forge, sent } = stubbed(() => Stub.json(Stub.gitRef("refs/heads/a")), {
      auth: "canary",
      userAgent: "octo"
    })
    const promise = forge.gitRefs.get(ref)
    expectTypeOf(promise).toEqualTypeOf<Promise<GitRef>>()
    assert.strictEqual((await promise).object.sha, Stub.SHA)
    assert.deepInclude(sent[0]?.headers, { authorization: "Bearer canary", "user-agent": "octo" })
    await forge.close()
  })

  it("rejects with the failure itself", async () => {
    const { forge } = stubbed(() => Stub.json({ message: "Not Found" }, { status: 404 }))
    const error = await rejection(forge.gitRefs.get(ref))
    assert.instanceOf(error, NotFound)
    assert.deepInclude({ ...error }, { _tag: "NotFound", detail: "Not Found" })
    await forge.close()
  })

  it("gives the cached value with its age at once, and then the new value", async () => {
    const aborted = { count: 0 }
    const { forge, sent } = stubbed((request, count) =>
      count === 1 ? Stub.json(Stub.gitRef("refs/heads/a"), { headers: { etag: '"1"' } }) : hanging(aborted)(request)
    )
    assert.strictEqual(age(await forge.gitRefs.get(ref)), 0)
    while (age(await forge.gitRefs.get(ref, { staleFor: 60_000 })) === 0) await new Promise(setImmediate)
    while (sent.length < 2) await new Promise(setImmediate)
    assert.strictEqual(sent[1]?.headers["if-none-match"], '"1"')
    await forge.close()
    assert.strictEqual(aborted.count, sent.length - 1)
  })

  it("rejects with the reason when cancelled, and aborts the request", async () => {
    const aborted = { count: 0 }
    const controller = new AbortController()
    const { forge } = stubbed(hanging(aborted, () => controller.abort(new Error("enough"))))
    const error = await rejection(forge.gitRefs.get(ref, { signal: controller.signal }))
    assert.strictEqual(error, controller.signal.reason)
    assert.strictEqual(aborted.count, 1)
    await forge.close()
  })

  it("sends nothing if its signal is already aborted", async () => {
    const { forge, sent } = stubbed(() => Stub.json({}))
    const error = await rejection(forge.root.get({}, { signal: AbortSignal.abort() }))
    assert.deepInclude(error, { name: "AbortError" })
    assert.strictEqual(sent.length, 0)
    await forge.close()
  })

  it("continues a shared request when one of its callers is cancelled", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const controller = new AbortController()
    const { forge, sent } = stubbed(() => promise)
    const cancelled = rejection(forge.gitRefs.get(ref, { signal: controller.signal }))
    const other = forge.gitRefs.get(ref)
    controller.abort()
    await cancelled
    resolve(Stub.json(Stub.gitRef("refs/heads/a")))
    assert.strictEqual((await other).ref, "refs/heads/a")
    assert.strictEqual(sent.length, 1)
    await forge.close()
  })

  it("accepts a priority and a deadline", async () => {
    const { forge } = stubbed(() =>
      Stub.json({ message: "secondary rate limit" }, { status: 429, headers: { "retry-after": "3600" } })
    )
    const error = await rejection(forge.gitRefs.get(ref, { priority: "interactive", deadline: Date.now() + 1_000 }))
    assert.instanceOf(error, RateLimited)
    assert.strictEqual(error.limit, "secondary")
    await forge.close()
  })

  it("has the caller's line in the stack of its failure, without lines of the client", async () => {
    const { forge } = stubbed(() => Stub.json({ message: "Not Found" }, { status: 404 }))
    async function readMain() {
      await Promise.resolve()
      return forge.gitRefs.get(ref)
    }
    const list = forge.branches.list(repository)
    const failed = [readMain(), forge.request("GET /nothing"), list.first(), collect(list), collect(list.pages())]
    for (const error of await Promise.all(failed.map(rejection))) {
      assert.instanceOf(error, NotFound)
      assert.strictEqual(error.name, "NotFound")
      const [head, ...frames] = error.stack?.split("\n") ?? []
      assert.strictEqual(head, `NotFound: ${error.message}`)
      assert.include(frames[0], "index.test.ts")
      assert.isAtMost(frames.length, Error.stackTraceLimit)
      assert.isBelow(inspect(error).length, 2_000)
    }
    assert.include(String(((await rejection(readMain())) as Error).stack?.split("\n")[1]), "readMain") // oxlint-disable-line typescript/no-unsafe-type-assertion -- asserted above
    await forge.close()
  })

  it("follows redirects, without the token to other origins", async () => {
    const { forge, sent } = stubbed(
      ({ url }) =>
        url.host === "forge.test"
          ? new Response(null, { status: 302, headers: { location: "https://elsewhere.test/file" } })
          : new Response("file"),
      { auth: "canary" }
    )
    assert.strictEqual((await forge.request("GET /file")).text, "file")
    assert.deepStrictEqual(
      sent.map(({ headers, init }) => [headers["authorization"], init.redirect]),
      [
        ["Bearer canary", "manual"],
        [undefined, "manual"]
      ]
    )
    await forge.close()
  })
})

describe("a list", () => {
  it("is an async iterable of its items, fetched on demand", async () => {
    const { forge, sent } = stubbed(Stub.branches(500))
    const list = forge.branches.list(repository, { perPage: 2 })
    expectTypeOf(list).toEqualTypeOf<List<Branch>>()
    const names: Array<string> = []
    for await (const { name } of list) {
      names.push(name)
      if (names.length === 3) break
    }
    assert.deepStrictEqual(names, ["b0", "b1", "b2"])
    assert.strictEqual(sent.length, 2)
    await forge.close()
  })

  it("has a limit, pages, a first page and a cursor", async () => {
    const { forge } = stubbed(Stub.branches(5))
    assert.strictEqual((await collect(forge.branches.list(repository, { perPage: 2, limit: 3 }))).length, 3)
    const list = forge.branches.list(repository, { perPage: 2 })
    assert.deepStrictEqual(
      (await collect(list.pages())).map(({ items }) => items.length),
      [2, 2, 1]
    )
    const { cursor, items } = await list.first()
    assert.strictEqual(items.length, 2)
    assert.isDefined(cursor)
    assert.strictEqual((await collect(forge.branches.list(repository, { cursor }))).length, 3)
    await forge.close()
  })

  it("throws the failure of a page when it is reached", async () => {
    const { forge } = stubbed((sent, count) =>
      count === 1 ? Stub.branches(5, 2)(sent) : Stub.json({}, { status: 404 })
    )
    const seen: Array<string> = []
    const error = await rejection(
      (async () => {
        for await (const { name } of forge.branches.list(repository)) seen.push(name)
      })()
    )
    assert.instanceOf(error, NotFound)
    assert.deepStrictEqual(seen, ["b0", "b1"])
    await forge.close()
  })

  it("is cancelled by its signal", async () => {
    const aborted = { count: 0 }
    const controller = new AbortController()
    const hang = hanging(aborted, () => controller.abort())
    const { forge } = stubbed((sent, count) => (count === 1 ? Stub.branches(5, 2)(sent) : hang(sent)))
    const error = await rejection(collect(forge.branches.list(repository, { signal: controller.signal })))
    assert.strictEqual(error, controller.signal.reason)
    assert.strictEqual(aborted.count, 1)
    await forge.close()
  })

  it("pages over routes outside of the contract", async () => {
    const { forge } = stubbed(Stub.branches(5, 2))
    assert.strictEqual((await collect(forge.paginate("GET /repos/{owner}/{repo}/x", repository))).length, 5)
    await forge.close()
  })
})

describe("a client", () => {
  it("does not cause Node's warning about too many listeners of a signal", async () => {
    const warnings: Array<string> = []
    const onWarning = ({ name }: Error) => void warnings.push(name)
    process.on("warning", onWarning)
    const controller = new AbortController()
    const { forge } = stubbed(hanging({ count: 0 }))
    const calls = Array.from({ length: 50 }, (_, index) =>
      rejection(forge.gitRefs.get({ ...repository, ref: `heads/${index}` }, { signal: controller.signal }))
    )
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    for (const error of await Promise.all(calls)) assert.strictEqual(error, controller.signal.reason)
    await forge.close()
    process.off("warning", onWarning)
    assert.deepStrictEqual(warnings, [])
  })

  it("removes its listeners from a signal that outlives the calls", async () => {
    const { forge } = stubbed(() => Stub.json(Stub.gitRef("refs/heads/a")))
    const [added, removed] = [new Array<unknown>(), new Array<unknown>()]
    // A fake, because a signal cannot list its listeners, nor the listeners that `AbortSignal.any` adds.
    const fake = {
      aborted: false,
      throwIfAborted: () => {},
      addEventListener: (_: string, listener: unknown) => added.push(listener),
      removeEventListener: (_: string, listener: unknown) => removed.push(listener)
    }
    const signal = fake as unknown as AbortSignal // oxlint-disable-line typescript/no-unsafe-type-assertion -- the members of a signal that a call uses
    await forge.gitRefs.get(ref, { signal })
    await collect(forge.branches.list(repository, { signal }).pages()).catch(() => undefined)
    assert.isNotEmpty(added)
    assert.deepStrictEqual(removed, added)
    await forge.close()
  })

  it("rejects an invalid base URL", () => {
    assert.throws(() => createForge({ baseUrl: "forge.test" }), TypeError)
  })

  it("rejects an unknown option, and names the one to use", () => {
    const create = (options: object) => () => createForge({ baseUrl: "https://forge.test", ...options })
    assert.throws(create({ token: "canary" }), TypeError, "Unknown option `token` of createForge: use `auth`")
    assert.throws(create({ baseURL: "x" }), TypeError, "use `baseUrl`")
    assert.throws(create({ timeOut: 1 }), TypeError, "use `timeout`")
    assert.throws(create({ dialekt: "github" }), TypeError, "use `dialect`")
    assert.throws(create({ retries: 1 }), TypeError, "use baseUrl, auth, account")
    const key = { appId: 1, privateKey: "", installationId: 2 }
    assert.throws(() => app(key), TypeError, "of app: use `installation`")
    const flow = { clientId: "c", onCode: () => {}, scope: "repo" }
    assert.throws(() => deviceFlow(flow), TypeError, "of deviceFlow: use `scopes`")
  })

  it("never shows its token", async () => {
    const { forge } = stubbed(() => Stub.json({ message: "Bad credentials" }, { status: 401 }), { auth: "canary" })
    const error = await rejection(forge.users.getAuthenticated())
    assert.notInclude(
      inspect([forge, error], { depth: 20, showHidden: true }) + JSON.stringify([forge, error]),
      "canary"
    )
    await forge.close()
  })

  it("cancels requests in flight when closed, and rejects later ones", async () => {
    const aborted = { count: 0 }
    const started = Promise.withResolvers<void>()
    const { forge, sent } = stubbed(hanging(aborted, started.resolve))
    const call = rejection(forge.gitRefs.get(ref))
    await started.promise
    await forge[Symbol.asyncDispose]()
    assert.deepInclude(await call, { message: "the client is closed" })
    assert.deepInclude(await rejection(forge.gitRefs.get(ref)), { message: "the client is closed" })
    assert.deepStrictEqual([aborted.count, sent.length], [1, 1])
  })
})

it("streams a file, and resumes after a broken connection", async () => {
  const bytes = new TextEncoder().encode("a file of some length")
  const { forge, sent } = stubbed(({ headers, url }, count) => {
    if (url.pathname !== "/file") return new Response(null, { status: 302, headers: { location: "/file?signature=s" } })
    const length = { "content-length": String(bytes.length) }
    if (count === 2) return new Response(bytes.slice(0, 6), { headers: length })
    assert.strictEqual(headers["range"], "bytes=6-")
    const range = { "content-range": `bytes 6-${bytes.length - 1}/${bytes.length}`, "content-length": "15" }
    return new Response(bytes.slice(6), { status: 206, headers: range })
  })
  const pieces = await collect(forge.download("GET /repos/{owner}/{repo}/actions/artifacts/7/zip", repository))
  assert.strictEqual(Buffer.concat(pieces).toString(), "a file of some length")
  assert.strictEqual(sent.length, 4)
  await forge.close()
})

it("runs the example of its documentation", async () => {
  const person = { date: "2026-01-02T03:04:05Z", name: "Octo", email: "o@x.test" }
  const object = { sha: Stub.SHA, url: "" }
  const details = {
    ...object,
    author: person,
    committer: person,
    message: "Begin\n\nwith this",
    comment_count: 0,
    tree: object
  }
  const links = { node_id: "n", html_url: "", comments_url: "" }
  const commit = { ...object, ...links, author: null, committer: null, parents: [], commit: details }
  const fetch = stubbed(({ url }) =>
    Stub.json(url.pathname.includes("/git/ref/") ? Stub.gitRef("refs/heads/main") : [commit])
  )
  const printed: Array<string> = []
  const console = { log: (...words: ReadonlyArray<string | undefined>) => printed.push(words.join(" ")) }
  {
    await using forge = fetch.forge
    const main = await forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
    const log = forge.commits.list({ owner: "octo", repo: "hello", sha: main.object.sha }, { limit: 500 })
    for await (const { commit, sha } of log) console.log(sha.slice(0, 7), commit.message.split("\n")[0])
  }
  assert.deepStrictEqual(printed, [`${Stub.SHA.slice(0, 7)} Begin`])
})
