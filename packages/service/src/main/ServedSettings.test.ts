/** Git settings of a served repository do not change responses. */
import { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layer as forge, TestForge } from "./Forge.test-support.ts"
import { git } from "../git/Fixture.test-support.ts"

const SECRET = "this-is-the-token-of-the-forge"

/** Git settings by repository name. `SECRET` is a file with the token, `TRAP` a script that must not run. */
const settings: Readonly<Record<string, string>> = {
  plain: "",
  "format-signature": "[format]\n signatureFile = SECRET\n",
  format: `[format]
 pretty = raw
 headers = "X-Injected: yes\\n"
 to = a@example.org
 cc = b@example.org
 subjectPrefix = INJECTED
 signature = injected
 suffix = .txt
 attach = boundary
 thread = deep
 signOff = true
 coverLetter = true
 coverFromDescription = subject
 outputDirectory = /nowhere
 numbered = true
 from = true
 forceInBodyFrom = true
 useAutoBase = true
 notes = true
 mboxrd = true
 noprefix = true
 encodeEmailHeaders = false
`,
  diff: `[diff]
 noprefix = true
 mnemonicPrefix = true
 renames = copies
 renameLimit = 1
 context = 0
 interHunkContext = 9
 algorithm = minimal
 indentHeuristic = false
 orderFile = SECRET
 statGraphWidth = 3
 statNameWidth = 3
 suppressBlankEmpty = true
 submodule = log
 ignoreSubmodules = all
 wordRegex = .
 wsErrorHighlight = all
 colorMoved = plain
 colorMovedWS = ignore-all-space
 external = TRAP
 relative = true
 dirstat = files
 tool = trap
 autoRefreshIndex = false
 srcPrefix = s/
 dstPrefix = d/
 noIndex = true
[diff "trap"]
 textconv = TRAP
 command = TRAP
 binary = true
 xfuncname = .
`,
  "bad-values": "[diff]\n renames = nonsense\n context = -7\n algorithm = nonsense\n[color]\n ui = nonsense\n",
  "bad-core":
    "[core]\n bigFileThreshold = x\n compression = 99\n abbrev = 999\n packedGitLimit = x\n commentChar = xx\n",
  core: `[core]
 abbrev = 40
 quotePath = true
 pager = TRAP
 editor = TRAP
 attributesFile = SECRET
 excludesFile = SECRET
 hooksPath = HOOKS
 fsmonitor = TRAP
 sshCommand = TRAP
 gitProxy = TRAP
 askPass = TRAP
 bigFileThreshold = 1
 useReplaceRefs = true
 commitGraph = false
 multiPackIndex = false
 logAllRefUpdates = always
 preferSymlinkRefs = true
 precomposeUnicode = true
 ignoreCase = true
 protectHFS = true
 protectNTFS = true
 autocrlf = true
 eol = crlf
 safecrlf = true
 whitespace = trailing-space
 warnAmbiguousRefs = false
 looseCompression = 0
 packedGitLimit = 1m
 deltaBaseCacheLimit = 1
 disambiguate = tree
 notesRef = refs/notes/x
 checkStat = minimal
 sparseCheckout = true
 sparseCheckoutCone = true
 untrackedCache = true
 splitIndex = true
 trustctime = false
 symlinks = false
 fileMode = false
 maxTreeDepth = 1
 packedRefsTimeout = 0
 filesRefLockTimeout = 0
 alternateRefsCommand = TRAP
`,
  "log-and-color": `[log]
 date = relative
 decorate = full
 showSignature = true
 showRoot = false
 mailmap = true
 follow = true
 abbrevCommit = true
 diffMerges = first-parent
 excludeDecoration = *
 graphColors = red
 initialDecorationSet = all
[color]
 ui = always
 diff = always
 branch = always
[i18n]
 logOutputEncoding = UTF-16
 commitEncoding = ISO-8859-1
[blame]
 showEmail = true
 showRoot = true
 date = relative
 coloring = highlightRecent
 blankBoundary = true
 ignoreRevsFile = SECRET
 markIgnoredLines = true
 markUnblamableLines = true
[mailmap]
 file = MAILMAP
 blob = HEAD:.mailmap
`,
  people: `[user]
 name = Injected
 email = injected@example.org
 useConfigOnly = true
 signingKey = x
[author]
 name = Injected
[committer]
 name = Injected
[commit]
 gpgSign = true
 cleanup = strip
 template = SECRET
[tag]
 gpgSign = true
 sort = -refname
[gpg]
 format = nonsense
 program = TRAP
[gpg "ssh"]
 program = TRAP
 defaultKeyCommand = TRAP
`,
  objects: `[gc]
 auto = 1
 pruneExpire = now
[pack]
 threads = x
 windowMemory = 1
[fsck]
 skipList = SECRET
[transfer]
 hideRefs = refs
 fsckObjects = true
[uploadpack]
 hideRefs = refs
[receive]
 denyDeletes = true
 denyNonFastForwards = true
[branch]
 sort = -committerdate
[for-each-ref]
 sort = -refname
[versionsort]
 suffix = -rc
[grep]
 patternType = perl
 lineNumber = true
[status]
 renames = false
[advice]
 detachedHead = true
[feature]
 manyFiles = true
 experimental = true
[index]
 version = 4
[submodule]
 recurse = true
[protocol]
 allow = always
[lsrefs]
 unborn = advertise
`,
  include:
    '[include]\n path = INCLUDED\n[includeIf "gitdir:/"]\n path = INCLUDED\n[includeIf "onbranch:main"]\n path = INCLUDED\n',
  "include-broken": "[include]\n path = SECRET\n",
  "worktree-config": "[extensions]\n worktreeConfig = true\n",
  promisor:
    '[remote "origin"]\n url = ext::TRAP\n promisor = true\n partialCloneFilter = blob:none\n[extensions]\n partialClone = origin\n',
  remotes:
    '[url "ext::TRAP"]\n insteadOf = https://\n[credential]\n helper = TRAP\n[alias]\n diff-tree = !TRAP\n log = !TRAP\n[filter "trap"]\n smudge = TRAP\n clean = TRAP\n process = TRAP\n required = true\n[trace2]\n eventTarget = TRACE\n normalTarget = TRACE\n[safe]\n bareRepository = explicit\n directory = ""\n',
  attributes: "",
  grafts: "",
  replaced: ""
}

/** All repositories in `npm run test:long`, otherwise every third. */
const names = Object.keys(settings).filter(
  (_, index) => process.env["TONGS_LONG_TESTS"] !== undefined || index % 3 === 0
)

/** Creates a history with renames, a merge, tags, links, and non-ASCII names and messages. */
const prepare = (repos: string) => {
  const seed = join(repos, "..", "seed")
  mkdirSync(join(seed, "dir"), { recursive: true })
  git(seed, ["init", "--quiet", "--initial-branch=main"])
  const add = (message: string, files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(seed, name), content)
    git(seed, ["add", "--all"])
    git(seed, ["commit", "--quiet", "-m", message])
  }
  const lines = Array.from({ length: 30 }, (_, at) => `const needle${at} = ${at}\n`)
  add("first", {
    "code.ts": `${lines.join("")}export function needle() {}\n`,
    "dir/näme.txt": "one\r\ntwo \n",
    ".mailmap": "X <x@y> <test@example.org>\n"
  })
  git(seed, ["tag", "-a", "v1", "-m", "version one"])
  git(seed, ["mv", "dir/näme.txt", "dir/other.txt"])
  add("zweite: Übung\n\nwith a body", {
    "code.ts": `${lines.toReversed().join("")}export function needle() {}\n`,
    binary: "\0\u0001"
  })
  git(seed, ["checkout", "--quiet", "-b", "side", "HEAD~1"])
  add("on the side", { "side.txt": "side\n" })
  git(seed, ["checkout", "--quiet", "main"])
  git(seed, ["merge", "--quiet", "--no-ff", "-m", "merge", "side"])
  git(seed, ["tag", "light"])
  const files = {
    SECRET: SECRET,
    TRAP: `#!/bin/sh\ntouch '${join(repos, "..", "trapped")}'\ncat\n`,
    INCLUDED: settings["diff"] + "[format]\n signatureFile = SECRET\n[core]\n bare = false\n worktree = /nowhere\n",
    MAILMAP: "Injected <injected@example.org> <test@example.org>\n"
  }
  const place = (text: string) =>
    text.replaceAll(/SECRET|TRAP|HOOKS|INCLUDED|MAILMAP|TRACE/g, (name) => join(repos, "..", name))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repos, "..", name), place(text), { mode: 0o755 })
  mkdirSync(join(repos, "..", "HOOKS"))
  for (const hook of ["reference-transaction", "update", "post-update"]) {
    cpSync(join(repos, "..", "TRAP"), join(repos, "..", "HOOKS", hook))
  }
  for (const [name, text] of Object.entries(settings)) {
    const path = join(repos, `${name}.git`)
    git(seed, ["clone", "--quiet", "--bare", "--no-hardlinks", seed, path])
    git(path, ["remote", "remove", "origin"])
    appendFileSync(join(path, "config"), place(text))
  }
  const bare = (name: string, ...parts: ReadonlyArray<string>) => join(repos, `${name}.git`, ...parts)
  writeFileSync(bare("worktree-config", "config.worktree"), place(files.INCLUDED))
  writeFileSync(bare("attributes", "info/attributes"), "* -text diff=trap filter=trap ident binary\n")
  appendFileSync(bare("attributes", "config"), place('[diff "trap"]\n textconv = TRAP\n'))
  const head = git(seed, ["rev-parse", "HEAD"])
  const root = git(seed, ["rev-parse", "v1^{commit}"])
  writeFileSync(bare("grafts", "info/grafts"), `${head} ${root}\n`)
  git(bare("replaced"), ["replace", head, root])
}

/** Ids and timestamps that differ between repositories. */
const own =
  /"(?:id|node_id|created_at|updated_at|pushed_at|rank|score|milliseconds|elapsed|sent|indexedAt)":(?:"[^"]*"|[\d.]+)/g

layer(forge(prepare), { timeout: "2 minutes" })("settings of a served repository", (it) => {
  /** Responses of one repository, by request. */
  const answersOf = Effect.fnUntraced(function* (name: string) {
    const { ask, base, owner } = yield* TestForge
    const answers = new Map<string, string>()
    const question = Effect.fnUntraced(function* (
      method: string,
      path: string,
      options: Parameters<typeof ask>[2] = {}
    ) {
      const { json, status, text } = yield* ask(method, path, options)
      const shown = text.replaceAll(`${owner}/${name}`, "OWNER/NAME").replaceAll(`"${name}"`, '"NAME"')
      const label = `${method} ${path.replaceAll(name, "NAME")} ${options.headers?.["accept"] ?? ""}`
      answers.set(label, `${status} ${shown.replace(own, "")}`)
      assert.isBelow(status, 500, `${name}: ${label}: ${text}`)
      assert.notInclude(text, SECRET)
      return json
    })
    const get = (path: string, accept?: string) =>
      question(
        "GET",
        path.startsWith("/tongs") || path.startsWith("/search") ? path : `${base}/${name}${path}`,
        accept === undefined ? {} : { headers: { accept } }
      )
    yield* get("")
    const commits = yield* get("/commits")
    yield* get("/commits?path=dir/other.txt&author=test")
    const oids = (commits as ReadonlyArray<{ sha: string }>).map(({ sha }) => sha) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the list of commits
    assert.lengthOf(oids, 4)
    for (const oid of oids) {
      yield* get(`/commits/${oid}`)
      yield* get(`/commits/${oid}`, "application/vnd.service.patch")
      yield* get(`/commits/${oid}`, "application/vnd.service.diff")
      yield* get(`/git/commits/${oid}`)
    }
    yield* get("/contents/")
    const file = yield* get("/contents/code.ts")
    yield* get("/contents/dir/other.txt", "application/vnd.service.raw")
    yield* get(`/git/blobs/${file.sha}`)
    yield* get(`/git/trees/main?recursive=1`)
    const refs = yield* get("/git/matching-refs/tags")
    yield* get(`/git/tags/${refs[1]?.object.sha}`)
    for (const path of ["/branches", "/tags", "/git/ref/heads/main", "/commits/v1", "/commits/light"]) yield* get(path)
    const extension = `/tongs/repos/${owner}/${name}`
    for (const path of ["blame/code.ts?", "history/code.ts?", "outline/code.ts?", "matches/code.ts?q=needle&"])
      yield* get(`${extension}/${path}ref=main`)
    yield* get(`${extension}/activity`)
    yield* get(`/search/code?q=needle+repo:${owner}/${name}`)
    const sha = oids[1]
    yield* question("POST", `${base}/${name}/git/refs`, { body: { ref: "refs/heads/made", sha } })
    yield* question("PATCH", `${base}/${name}/git/refs/heads/made`, { body: { sha: oids[0], force: true } })
    yield* get("/branches?per_page=100")
    yield* question("DELETE", `${base}/${name}/git/refs/heads/made`)
    yield* get("/git/matching-refs/heads")
    return answers
  })

  it.effect("do not change responses", () =>
    Effect.gen(function* () {
      const expected = yield* answersOf("plain")
      const succeeded = [...expected.values()].filter((answer) => /^20\d/.test(answer))
      assert.strictEqual(succeeded.length, expected.size)
      const answers = yield* Effect.forEach(
        names,
        (name) => Effect.map(answersOf(name), (found) => [name, found] as const),
        { concurrency: 4 }
      )
      assert.isFalse(existsSync(join((yield* TestForge).repos, "..", "trapped")), "a program of a setting was run")
      for (const [name, found] of answers) {
        for (const [label, answer] of found) assert.strictEqual(answer, expected.get(label), `${name}: ${label}`)
        assert.strictEqual(found.size, expected.size)
      }
    })
  )
})
