/**
 * The commits of a `LargeRepository`, as a stream for `git fast-import`. The same number of commits gives the same
 * stream.
 */
import {
  edit,
  folders,
  initialFiles,
  legacy,
  README,
  type SourceFile,
  text
} from "./LargeRepositoryFiles.test-support.ts"

/** The contents that tests look for. Each subject is unique; the subjects of tip and root fit into a narrow column. */
export const contents = {
  branches: 60,
  tags: 200,
  /** Changed files of the large commit. */
  files: 251,
  subjects: {
    tip: "Release 9.0",
    root: "First files",
    large: "Move the engine to packages",
    /** The start of a long subject with characters that are two columns wide. */
    wide: "修复 终端 宽度 🚀"
  }
} as const // literal types

const { subjects } = contents

const authors = [
  ["Ada Okonkwo", "ada@example.com"],
  ["Björn Ägren", "bjorn@example.com"],
  ["Chen 伟", "chen@example.com"],
  ["Dolores Quintanilla-Montgomery", "dolores@example.com"],
  ["Eitan", "eitan@example.com"],
  ["Farida Rahmani", "farida@example.com"],
  ["Grzegorz Brzęczyszczykiewicz", "grzegorz@example.com"],
  ["renovate[bot]", "renovate@example.com"]
] as const // pairs

const verbs = ["Add", "Fix", "Remove", "Rename", "Simplify", "Speed up", "Test", "Document", "Handle", "Split"]
const things = [
  "the parser of settings",
  "retries of failed uploads",
  "a cache for resolved names",
  "time zones in reports",
  "the queue of the worker",
  "errors of the socket",
  "paging through long lists",
  "the index of symbols",
  "colours on small terminals",
  "a limit for open files"
]
const reasons = ["", "", "", " on Windows", " after a restart", " when the disk is full", " (second part)"]

/** Returns a function that gives repeatable pseudo-random integers from 0 to `bound` - 1 (mulberry32). */
const randomIntegers = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % bound
  }
}

const data = (content: string) => `data ${Buffer.byteLength(content)}\n`

/** Sets a file. */
const modify = (path: string, content: string) => `M 100644 inline ${path}\n${data(content)}${content}\n`

/** The date of the tip (seconds), and the time between two commits. */
const tipSeconds = Date.UTC(2026, 10, 20, 12) / 1000
const STEP_SECONDS = 1500

interface Commit {
  readonly ref: string
  readonly mark: number
  readonly from?: string | undefined
  readonly merge?: string | undefined
  readonly message: string
  /** The position in time; the tip has the highest. */
  readonly at: number
  readonly author: number
  /** Commands that change files. */
  readonly changes: string
}

const writeCommit = (commits: number, { at, author, changes, from, mark, merge, message, ref }: Commit) => {
  const [name, email] = authors[author % authors.length] ?? authors[0]
  const seconds = tipSeconds - (commits - at) * STEP_SECONDS
  return [
    `commit ${ref}\nmark :${mark}\n`,
    `author ${name} <${email}> ${seconds - (author % 3) * 3600} +0200\n`,
    `committer ${name} <${email}> ${seconds} +0000\n`,
    `${data(message)}${message}\n`,
    from === undefined ? "" : `from ${from}\n`,
    merge === undefined ? "" : `merge ${merge}\n`,
    changes,
    "\n"
  ].join("")
}

const RENAMED = 25

const EDITED = 40

/** The changes of the commit with 251 files: additions with long paths, binary files, edits, renames and deletions. */
const largeCommit = (files: ReadonlyArray<SourceFile>, random: (bound: number) => number): string => {
  const edited = files.slice(0, EDITED).map((file) => {
    edit(file, random)
    return modify(file.path, text(file))
  })
  const renamed = legacy.slice(0, RENAMED).map(({ path }) => `R ${path} packages/legacy/${path.replaceAll("/", "-")}\n`)
  const deleted = legacy.slice(RENAMED).map(({ path }) => `D ${path}\n`)
  const binary = Array.from({ length: 6 }, (_, index) =>
    modify(`assets/images/picture-${index}.bin`, `\0PNG\0${index}`.repeat(200 + index))
  )
  const count = contents.files - edited.length - renamed.length - deleted.length - binary.length
  const added = Array.from({ length: count }, (_, index) => {
    const folder = `packages/engine/src/${"deeply-nested-folder/".repeat(index % 7)}module-${index % 20}`
    return modify(`${folder}/EngineComponent${index}.ts`, `export const component${index} = ${index * 31}\n`)
  })
  return [...edited, ...renamed, ...deleted, ...binary, ...added].join("")
}

const wideMessage = `${subjects.wide} 中文字符和表情符号 👩‍👩‍👧‍👦 in every column of the table, ${"also where the subject continues for much longer than a line, ".repeat(4)}and ends here

A body with two paragraphs, 也有 汉字.

Reviewed-by: Chen 伟 <chen@example.com>`

/**
 * Yields the stream. `main` has exactly this number of commits; `refs/heads/*` has 60 branches, `refs/tags/*` 200 tags.
 */
export function* history(commits: number): Generator<string> {
  const random = randomIntegers(commits)
  const files = initialFiles(random)
  const pick = () => files[random(files.length)] ?? files[0]
  const main = "refs/heads/main"
  yield writeCommit(commits, {
    ref: main,
    mark: 1,
    message: `${subjects.root}\n`,
    at: 1,
    author: 0,
    changes: [
      modify("README.md", README),
      modify("docs/guide.md", `# Guide\n\nBack to the [readme](../README.md).\n`),
      ...files.map((file) => modify(file.path, text(file))),
      ...legacy.map(({ content, path }) => modify(path, content))
    ].join("")
  })
  let mark = 1
  /** The tip of main, and the topic that is not merged yet. */
  let tip = 1
  let topic: { mark: number; left: number; changed: Map<string, SourceFile> } | undefined
  while (mark < commits - 6) {
    const at = mark + 1
    if (topic === undefined && random(10) === 0 && at < commits - 20)
      topic = { mark: tip, left: 1 + random(4), changed: new Map() }
    const author = random(authors.length)
    const isTopic = topic !== undefined && topic.left > 0 && random(2) === 0
    if (topic !== undefined && topic.left === 0) {
      const changes = Array.from(topic.changed.values(), (file) => modify(file.path, text(file))).join("")
      const message = `Merge pull request #${at} from topic-${topic.mark}\n`
      yield writeCommit(commits, { ref: main, mark: at, message, at, author, merge: `:${topic.mark}`, changes })
      topic = undefined
      tip = at
    } else {
      const file = pick()
      // A file of the topic is changed only there, so that the merge has no conflict.
      if (file === undefined || (!isTopic && topic?.changed.has(file.path) === true)) continue
      edit(file, random)
      const message = `${verbs[random(verbs.length)]} ${things[random(things.length)]}${reasons[random(reasons.length)]} (#${at})\n${
        random(4) === 0 ? `\nThe previous way failed for ${random(900)} of the files.\n` : ""
      }`
      const changes = modify(file.path, text(file))
      if (isTopic && topic !== undefined) {
        yield writeCommit(commits, {
          ref: "refs/topic",
          mark: at,
          from: `:${topic.mark}`,
          message,
          at,
          author,
          changes
        })
        topic.mark = at
        topic.left -= 1
        topic.changed.set(file.path, file)
      } else {
        yield writeCommit(commits, { ref: main, mark: at, from: `:${tip}`, message, at, author, changes })
        tip = at
      }
    }
    mark = at
  }
  const last = ["Count the open files", "Sort the report by size", subjects.large, wideMessage, "Explain the release"]
  for (const subject of [...last, subjects.tip]) {
    const at = mark + 1
    const changes =
      subject === subjects.large
        ? largeCommit(files, random)
        : modify("docs/releases.md", `# Releases\n\n${at}: ${subject}\n`)
    // The first one also merges a topic that is still open.
    const merge = topic === undefined ? undefined : `:${topic.mark}`
    const changed = topic === undefined ? [] : [...topic.changed.values()]
    topic = undefined
    yield writeCommit(commits, {
      ref: main,
      mark: at,
      from: `:${tip}`,
      merge,
      message: `${subject}\n`,
      at,
      author: at,
      changes: changes + changed.map((file) => modify(file.path, text(file))).join("")
    })
    mark = at
    tip = at
  }
  yield* references(commits)
}

/** Branches with a commit of their own, and lightweight and annotated tags, spread over the history. */
function* references(commits: number): Generator<string> {
  for (let index = 1; index < contents.branches; index++) {
    const from = 1 + Math.floor(((commits - 1) * index) / contents.branches)
    yield writeCommit(commits, {
      ref: `refs/heads/${index % 3 === 0 ? "release" : "feature"}/${folders[index % folders.length]}-${index}`,
      mark: commits + index,
      from: `:${from}`,
      message: `Try another way for ${folders[index % folders.length]}\n`,
      at: from + 1,
      author: index,
      changes: modify(`docs/idea-${index}.md`, `# Idea ${index}\n`)
    })
  }
  for (let index = 1; index <= contents.tags; index++) {
    const name = `v${Math.floor(index / 20)}.${index % 20}.0`
    const from = 1 + Math.floor(((commits - 1) * index) / (contents.tags + 1))
    if (index % 2 === 0) yield `reset refs/tags/${name}\nfrom :${from}\n\n`
    else {
      const message = `Version ${name.slice(1)}\n`
      const seconds = tipSeconds - (commits - from) * STEP_SECONDS
      yield `tag ${name}\nfrom :${from}\ntagger ${authors[0][0]} <${authors[0][1]}> ${seconds} +0000\n${data(message)}${message}\n`
    }
  }
  yield "done\n"
}
