import { assert, it } from "@effect/vitest"
import * as Markdown from "./Markdown.ts"

it("renders the Markdown of comments", () => {
  const cases = [
    ["**b** *i* ~~s~~ `c`", "<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>"],
    ["one\ntwo", "<p>one<br>\ntwo</p>"],
    ["a & b < c", "<p>a &amp; b &lt; c</p>"],
    ["```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b\n</code></pre>'],
    ["", ""]
  ] as const
  for (const [source, html] of cases) assert.strictEqual(Markdown.html(source), html)
  assert.include(Markdown.html("|a|b|\n|-|-|\n|1|2|"), "<td>1</td>")
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
  for (const [source, html] of cases) assert.strictEqual(Markdown.html(source), `<p>${html}</p>`)
})

it("extracts the plain text", () => {
  assert.strictEqual(
    Markdown.text(
      "# Title\n\nOne **two** [three](https://a.test)\nfour\n\n- five\n- `six`\n\n```\nseven\n```\n\n![eight *nine*](a.png) &amp; \\*ten\\*"
    ),
    "Title\nOne two three\nfour\nfive\nsix\nseven\neight nine & *ten*"
  )
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
  "&#60;script&#62;alert(1)&#60;/script&#62;"
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

const elements = /^(a|blockquote|br|code|del|em|h[1-6]|hr|img|li|ol|p|pre|s|strong|table|tbody|td|th|thead|tr|ul)$/
const attributes = /^(alt|class|href|rel|src|start|style|title)$/

/** Parses HTML strictly: only these elements, attributes and URLs. */
const check = (source: string) => {
  const html = Markdown.html(source)
  const rest = html.replace(/<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>/g, (_, name: string, all: string) => {
    assert.match(name, elements, source)
    for (const [, attribute = "", value = ""] of all.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      assert.match(attribute, attributes, source)
      if (attribute === "style") assert.match(value, /^text-align:(left|right|center)$/)
      if (attribute === "href" || attribute === "src") {
        const { protocol } = new URL(value.replaceAll("&amp;", "&"), "https://page.test/")
        assert.include(["https:", "http:", "mailto:"], protocol, `${source} -> ${html}`)
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
    "<".repeat(60_000)
  ]) {
    const start = performance.now()
    Markdown.html(source)
    Markdown.text(source)
    assert.isBelow(performance.now() - start, 4000, source.slice(0, 3))
  }
})
