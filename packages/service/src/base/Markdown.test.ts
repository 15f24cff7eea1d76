import { assert, it } from "@effect/vitest"
import * as Markdown from "./Markdown.ts"

const html = (source: string) => Markdown.html(Markdown.render(source), () => undefined)
const linked = (source: string) =>
  Markdown.html(Markdown.render(source), (reference) => ({ class: "x", href: `/"${reference._tag}` }))
const text = (source: string) => Markdown.render(source).text

it("renders the Markdown of comments", () => {
  const cases = [
    ["**b** *i* ~~s~~ `c`", "<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>"],
    ["one\ntwo", "<p>one<br>\ntwo</p>"],
    ["a & b < c", "<p>a &amp; b &lt; c</p>"],
    ["```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b\n</code></pre>'],
    ["", ""]
  ] as const
  for (const [source, expected] of cases) assert.strictEqual(html(source), expected)
  assert.include(html("|a|b|\n|-|-|\n|1|2|"), "<td>1</td>")
})

it("links to the web and to mail, with nofollow and noreferrer", () => {
  const rel = 'rel="nofollow noopener noreferrer"'
  const cases = [
    ["[x](https://a.test/?b=1&c=2)", `<a href="https://a.test/?b=1&amp;c=2" ${rel}>x</a>`],
    ["https://a.test/b", `<a href="https://a.test/b" ${rel}>https://a.test/b</a>`],
    ["<mailto:a@b.test>", `<a href="mailto:a@b.test" ${rel}>mailto:a@b.test</a>`],
    ["[x](../docs/a:b.md#c)", `<a href="../docs/a:b.md#c" ${rel}>x</a>`],
    ["![alt](http://a.test/b.png)", '<img src="http://a.test/b.png" alt="alt">']
  ] as const
  for (const [source, link] of cases) assert.strictEqual(html(source), `<p>${link}</p>`)
})

it("extracts the plain text", () => {
  assert.strictEqual(
    text(
      "# Title\n\nOne **two** [three](https://a.test)\nfour\n\n- five\n- `six`\n\n```\nseven\n```\n\n![eight *nine*](a.png) &amp; \\*ten\\*"
    ),
    "Title\nOne two three\nfour\nfive\nsix\nseven\neight nine & *ten*"
  )
})

it("renders task lists with disabled check boxes", () => {
  const box = (checked: string) => `<input class="task-list-item-checkbox" type="checkbox" disabled=""${checked}>`
  assert.strictEqual(
    html("- [ ] one\n- [x] two\n- [X] **three**\n- four [ ]\n- [ ]five\n- [y] six"),
    `<ul class="contains-task-list">
<li class="task-list-item">${box("")} one</li>
<li class="task-list-item">${box(' checked=""')} two</li>
<li class="task-list-item">${box(' checked=""')} <strong>three</strong></li>
<li>four [ ]</li>
<li>[ ]five</li>
<li>[y] six</li>
</ul>`
  )
  assert.include(html("1. [x] one"), "<ol class")
  assert.strictEqual(text("- [x] one\n\n[ ] two"), "[x] one\n[ ] two")
})

it("links references in text only", () => {
  const link = (text: string, kind = "Issue") => `<a class="x" href="/&quot;${kind}">${text}</a>`
  const cases: ReadonlyArray<readonly [string, string]> = [
    [
      "#1 **a/b#2** _@me_ @a/b",
      `${link("#1")} <strong>${link("a/b#2")}</strong> <em>${link("@me", "User")}</em> ${link("@a/b", "Team")}`
    ],
    ["a & abcdef1 <", `a &amp; ${link("abcdef1", "Commit")} &lt;`],
    [
      "https://a.test/o/r/issues/1",
      link('<a href="https://a.test/o/r/issues/1" rel="nofollow noopener noreferrer">https://a.test/o/r/issues/1</a>')
    ],
    [
      "<http://localhost:80/o/r/pull/1>.",
      `${link('<a href="http://localhost:80/o/r/pull/1" rel="nofollow noopener noreferrer">http://localhost:80/o/r/pull/1</a>')}.`
    ]
  ]
  for (const [source, expected] of cases) assert.strictEqual(linked(source), `<p>${expected}</p>`)
  const plain = [
    "`#1` ``@me``",
    "```\n#1\n```",
    "    #1",
    '[#1](https://a.test/@me "#2")',
    "![#1](@me)",
    "<a title='#1'>",
    "x <code>#1</code>",
    'x <A href="/">a #1</a>',
    "x <code>https://a.test/o/r/issues/1</code>",
    "<!-- fixes #1\n\n@me -->",
    "a <!-- #1 --> b",
    "<div>\n#1\n</div>",
    "me@a.test https://a.test/#1",
    "[x]\n\n[x]: https://a.test/o/r/issues/1"
  ]
  for (const source of plain) assert.deepStrictEqual(Markdown.references(Markdown.render(source)), [], source)
})

it("finds closing keywords before references and URLs", () => {
  const closed = (source: string) =>
    Markdown.references(Markdown.render(source)).flatMap((one) =>
      one._tag === "Issue" && one.isClosing ? [one.number] : []
    )
  assert.deepStrictEqual(closed("Fixes #1, closes: a/b#2 and resolved\n#3"), [1, 2, 3])
  assert.deepStrictEqual(closed("Fixes https://a.test/o/r/issues/4, fixed\nhttps://a.test/o/r/issues/5"), [4, 5])
  assert.deepStrictEqual(closed("`Fixes` #1, **fixes** #2, fixes\n\n#3, fixes ![](x) #4"), [])
})

const scripts = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "javascript :alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java&#9;script:alert(1)",
  "java&Tab;script:alert(1)",
  "java&NewLine;script:alert(1)",
  "&#1;javascript:alert(1)",
  "&#x6A&#x61;vascript:alert(1)",
  "&#0000106avascript:alert(1)",
  "javascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "javascript%3aalert(1)",
  "%6aavascript:alert(1)",
  "java%0ascript:alert(1)",
  "%01javascript:alert(1)",
  "\\javascript:alert(1)",
  "j\\avascript\\:alert(1)",
  "\u00a0javascript:alert(1)",
  "\u2028javascript:alert(1)",
  "\u200bjavascript:alert(1)",
  "\ufeffjavascript:alert(1)",
  "vbscript:msgbox(1)",
  "livescript:alert(1)",
  "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/png;base64,AAAA",
  "DATA&colon;text/html,x",
  "blob:https://a.test/x",
  "file:///etc/passwd",
  "view-source:javascript:alert(1)",
  "feed:javascript:alert(1)"
]

/** All forms of links and images. */
const spellings = (url: string) => [
  `[x](${url})`,
  `[x](<${url}>)`,
  `[x](${url} "title")`,
  `![x](${url})`,
  `<${url}>`,
  `[x][y]\n\n[y]: ${url}`,
  `[x]\n\n[x]: <${url}>`,
  `[![x](${url})](${url})`,
  `> - [x](${url})`,
  `|a|\n|-|\n|[x](${url})|`,
  `**[x](${url})**`,
  url,
  `https://a.test/${url}`
]

const tags = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.test></sCrIpT>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mi//xlink:href='data:x,<script>alert(4)</script>'>",
  '<a href="javascript:alert(1)">x</a>',
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<style>@import '//evil.test'</style>",
  "<form action=javascript:alert(1)><input type=submit>",
  "<base href=//evil.test>",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml <script>alert(1)</script> ?>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<scr<script>ipt>alert(1)</script>",
  "</p><script>alert(1)</script>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  '#1" onclick="alert(1)',
  '@me<b> abcdef1"><script>',
  'https://a.test/o/r/issues/1"onclick=alert(1)',
  "a/b#1&quot;&lt;script&gt;"
]

/** All ways for a text to get into the HTML. */
const places = (text: string) => [
  text,
  `# ${text}`,
  `- ${text}`,
  `> ${text}`,
  `**${text}**`,
  `\`${text}\``,
  `\`\`\`${text}\n${text}\n\`\`\``,
  `    ${text}`,
  `[${text}](https://a.test)`,
  `[x](https://a.test "${text}")`,
  `[x](https://a.test '" onmouseover="alert(1)')`,
  `![${text}](https://a.test/x.png '${text}')`,
  `![" onerror="alert(1)](https://a.test/" onerror="alert(1))`,
  `|a|\n|-|\n|${text}|`,
  `[x]\n\n[x]: https://a.test '${text}'`,
  `https://a.test/"${text}`
]

const elements =
  /^(a|blockquote|br|code|del|em|h[1-6]|hr|img|input|li|ol|p|pre|s|strong|table|tbody|td|th|thead|tr|ul)$/
const attributes = /^(alt|checked|class|disabled|href|rel|src|start|style|title|type)$/

/** Parses HTML strictly: only these elements, attributes and URLs. */
const check = (source: string) => {
  for (const rendered of [html(source), linked(source)]) checkHtml(source, rendered)
}

const checkHtml = (source: string, rendered: string) => {
  const rest = rendered.replace(/<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>/g, (_, name: string, all: string) => {
    assert.match(name, elements, source)
    for (const [, attribute = "", value = ""] of all.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      assert.match(attribute, attributes, source)
      if (attribute === "style") assert.match(value, /^text-align:(left|right|center)$/)
      if (attribute === "href" || attribute === "src") {
        const { protocol } = new URL(value.replaceAll("&amp;", "&"), "https://page.test/")
        assert.include(["https:", "http:", "mailto:"], protocol, `${source} -> ${rendered}`)
      }
    }
    return ""
  })
  assert.notMatch(rest, /[<>]/, source)
}

it("rejects links with script schemes in every spelling", () => {
  for (const url of scripts) for (const source of spellings(url)) check(source)
})

it("escapes HTML in the source", () => {
  for (const tag of tags) for (const source of places(tag)) check(source)
})

it("renders deep nesting and repetition within its time limit", () => {
  for (const source of [
    "[".repeat(60_000),
    ">".repeat(60_000),
    "*a ".repeat(20_000),
    "![".repeat(30_000),
    "`".repeat(60_000),
    "- ".repeat(30_000),
    "[](".repeat(20_000),
    "<".repeat(60_000),
    "a <!--".repeat(10_000),
    "<a b='".repeat(10_000),
    `<a${" b".repeat(30_000)}`,
    `a ${"<a b".repeat(15_000)}`,
    "- [ ] ".repeat(10_000),
    "- [ ] a\n".repeat(8_000),
    "https://a.test/o/r/issues/1 ".repeat(2_300),
    "@a/".repeat(20_000)
  ]) {
    const start = performance.now()
    html(source)
    text(source)
    assert.isBelow(performance.now() - start, 4000, source.slice(0, 3))
  }
})
