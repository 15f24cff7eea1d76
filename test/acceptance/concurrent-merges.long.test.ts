/** Merges pull requests at the same time. The result must be one that some order of the merges gives. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isLong } from "../LongTests.test-support.ts"
import { git, type JsonResponse, request } from "./ForgeProcess.test-support.ts"
import { addCommit, runGit, serveEmpty } from "./GitPush.test-support.ts"

const count = isLong ? 50 : 12

const methods = ["merge", "squash", "rebase"] as const

/** Lines of a file that each pull request changes, two or three of them at the same place. */
const places = isLong ? 20 : 5

const textOf = (changed: number, value: string) =>
  Array.from({ length: places * 10 }, (_, line) => `${line === changed * 10 ? value : line}\n`).join("")

interface Merge {
  readonly number: number
  readonly method: (typeof methods)[number]
  readonly head: string
  readonly answer: JsonResponse
}

it(`${count} concurrent merges into one branch give what some order of them gives`, { timeout: 600_000 }, async () => {
  const { base, clone, path, serving, url } = await serveEmpty()
  addCommit(clone, "shared.txt", textOf(-1, ""))
  const start = addCommit(clone, "second")
  const heads: Array<string> = []
  for (let index = 0; index < count; index++) {
    git(clone, ["checkout", "--quiet", "--detach", start])
    addCommit(clone, "shared.txt", textOf(index % places, `pull request ${index}`))
    writeFileSync(join(clone, `${index}.txt`), `${index}\n`)
    heads.push(addCommit(clone, `${index}.md`))
  }
  const refs = heads.map((oid, index) => `${oid}:refs/heads/topic-${index}`)
  expect((await runGit(clone, "push", "--quiet", url, `${start}:refs/heads/main`, ...refs)).code).toBe(0)
  const numbers: Array<number> = []
  for (let index = 0; index < count; index++) {
    const input = { title: `Change ${index}`, head: `topic-${index}`, base: "main" }
    const { json, status } = await request(serving, "POST", `${base}/pulls`, input)
    expect(status).toBe(201)
    numbers.push(json.number)
  }

  const merges = await Promise.all(
    numbers.map(async (number, index): Promise<Merge> => {
      const method = methods[index % methods.length] ?? "merge"
      const answer = await request(serving, "PUT", `${base}/pulls/${number}/merge`, { merge_method: method })
      return { number, method, head: heads[index] ?? "", answer }
    })
  )

  const done = merges.filter(({ answer }) => answer.status === 200)
  for (const { answer, number } of merges)
    if (answer.status !== 200)
      expect([number, answer.status, answer.json.message]).toEqual([number, 405, "Pull Request is not mergeable"])
  // One of the pull requests that change a line is merged, whatever the order.
  expect(done.length).toBe(places)
  const at = new Map(done.map((merge) => [String(merge.answer.json.sha), merge]))
  const line = git(path, ["rev-list", "--first-parent", "--reverse", `${start}..main`]).split("\n")
  let tip = start
  let left = 2
  for (const oid of line) {
    const merge = at.get(oid)
    // The first of the two commits of a rebase.
    if (merge === undefined) {
      left -= 1
      continue
    }
    const [tree = ""] = git(path, ["merge-tree", "--write-tree", tip, merge.head]).split("\n")
    expect([merge.number, git(path, ["rev-parse", `${oid}^{tree}`])]).toEqual([merge.number, tree])
    const parents = git(path, ["rev-list", "--parents", "-1", oid]).split(" ").slice(1)
    if (merge.method === "merge") expect(parents).toEqual([tip, merge.head])
    if (merge.method === "squash") expect(parents).toEqual([tip])
    if (merge.method === "rebase") expect(git(path, ["rev-parse", `${oid}~2`])).toBe(tip)
    expect(left).toBe(merge.method === "rebase" ? 1 : 2)
    left = 2
    tip = oid
    at.delete(oid)
  }
  expect(at.size).toBe(0)
  expect(git(path, ["rev-parse", "main"])).toBe(tip)
  for (const { answer, number } of merges) {
    const { json } = await request(serving, "GET", `${base}/pulls/${number}`)
    expect([number, json.merged, json.state]).toEqual([
      number,
      answer.status === 200,
      answer.status === 200 ? "closed" : "open"
    ])
  }
})
