/** Uploads and downloads of the log of a job. */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"

interface Serving {
  readonly url: string
  readonly token: string
  readonly pid: number
}

const CHUNK = 1024 * 1024

/** Bytes of a log: lines that differ by position. */
const chunkAt = (index: number) => Buffer.alloc(CHUNK, `line of chunk ${index}\n`)

/** Streams chunks of a log. Breaks off after `until` chunks. */
const stream = (from: number, to: number, until = to) => {
  let index = from
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      if (index === to) return controller.close()
      if (index === until) return controller.error(new Error("broken off"))
      controller.enqueue(chunkAt(index++))
    }
  })
}

export const ask = async ({ token, url }: Serving, method: string, path: string, body?: BodyInit) => {
  const headers = { authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" }
  const init = body === undefined ? {} : { body, duplex: "half" }
  return fetch(url + path, { method, headers, ...init })
}

/** Creates a run with a job. Returns the paths of the upload and of the download of its log. */
export const createJob = async (serving: Serving, repository: string, sha: string) => {
  const report = { workflow: ".github/workflows/ci.yml", head_sha: sha, jobs: [{ name: "build" }] }
  const response = await ask(serving, "POST", `/tongs/repos/${repository}/runs`, JSON.stringify(report))
  const { jobs, run } = await response.json()
  return {
    upload: `/tongs/repos/${repository}/runs/${run.id}/jobs/${jobs[0].id}/log`,
    download: `/repos/${repository}/actions/jobs/${jobs[0].id}/logs`
  }
}

/** Resets the maximum memory of a process, and returns the function that reads it, in megabytes. */
const memory = (pid: number) => {
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
  return () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
}

/** Uploads a log, broken off and resumed, and downloads it. Returns both digests and the memory that it took. */
export const transfer = async (serving: Serving, paths: { upload: string; download: string }, megabytes: number) => {
  const sent = createHash("sha256")
  for (let index = 0; index < megabytes; index++) sent.update(chunkAt(index))
  const read = memory(serving.pid)
  const before = read()
  const half = Math.floor(megabytes / 2)
  await ask(serving, "PUT", paths.upload, stream(0, megabytes, half)).catch(() => undefined)
  // The forge says how much it has.
  let offset = 0
  for (;;) {
    const answer = await (await ask(serving, "PUT", `${paths.upload}?offset=${megabytes * CHUNK * 2}`, "x")).json()
    const [, size = "0"] = /has (\d+) bytes/.exec(answer.message) ?? []
    if (Number(size) === offset && offset > 0) break
    offset = Number(size)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const whole = Math.floor(offset / CHUNK)
  const rest = stream(whole, megabytes)
  const resumed = await ask(serving, "PUT", `${paths.upload}?offset=${whole * CHUNK}`, rest)
  const { size } = await resumed.json()
  const received = createHash("sha256")
  const download = await ask(serving, "GET", paths.download)
  for await (const chunk of download.body ?? []) received.update(chunk)
  return { sent: sent.digest("hex"), received: received.digest("hex"), size, resumedAt: whole, grown: read() - before }
}
