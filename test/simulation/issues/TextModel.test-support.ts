/**
 * Texts with references, and their meaning by GitHub's documentation. A text is composed of parts of known meaning, so
 * the model parses nothing and shares no code with the forge.
 *
 * Sources: GitHub's pages "Autolinked references and URLs", "Basic writing and formatting syntax" and "Linking a pull
 * request to an issue", and for boundaries the filter of mentions in github/html-pipeline: mentions are found in the
 * text nodes of the rendered HTML, outside of `pre`, `code` and `a`, after and before non-word characters.
 */

/** A link in rendered HTML. `path` begins after the origin. */
export interface Link {
  readonly text: string
  readonly path: string
}

/** A part of a text. `issue` and `user` are what the part names, `closes` the issue that a commit with it closes. */
export interface Part {
  readonly text: string
  readonly link?: Link
  readonly issue?: string
  readonly user?: string
  readonly closes?: string
  /** True if only white space and parentheses may be around, as around URLs. */
  readonly isUrl?: boolean
}

/** What the generator knows of the forge. */
export interface World {
  readonly origin: string
  /** The repository of the text. */
  readonly home: string
  /** Numbers of issues by repository. */
  readonly issues: ReadonlyMap<string, ReadonlyArray<number>>
  readonly commits: ReadonlyMap<string, ReadonlyArray<string>>
  readonly users: ReadonlyArray<string>
  readonly organization: string
}

/** A random number generator with the selections that texts need. */
export class Dice {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  chance(probability: number) {
    return this.#random() < probability
  }

  number(from: number, to: number) {
    return from + Math.floor(this.#random() * (to - from + 1))
  }

  pick<A>(values: ReadonlyArray<A>): A {
    const value = values[Math.floor(this.#random() * values.length)]
    if (value === undefined) throw new Error("No values to choose from")
    return value
  }

  some<A>(from: number, to: number, make: () => A): ReadonlyArray<A> {
    return Array.from({ length: this.number(from, to) }, make)
  }
}

const upTo = (sha: string, length: number) => sha.slice(0, length)

/** A reference to an issue in one of the documented forms. */
export const issueReference = (dice: Dice, world: World): Part => {
  const repository = dice.chance(0.6) ? world.home : dice.pick([...world.issues.keys()])
  const number = dice.pick(world.issues.get(repository) ?? [])
  const issue = `${repository}#${number}`
  const path = `/${repository}/issues/${number}`
  const isHome = repository === world.home
  const form = dice.pick(isHome ? ["#", "#", "GH-", "gh-", "full", "url"] : ["full", "full", "url"])
  if (form === "url") {
    return { text: `${world.origin}${path}`, issue, link: { text: isHome ? `#${number}` : issue, path }, isUrl: true }
  }
  const text = form === "full" ? issue : `${form}${number}`
  return { text, issue, link: { text, path } }
}

/** A mention of an account. */
const mention = (dice: Dice, world: World): Part => {
  const user = dice.pick(world.users)
  const text = `@${dice.chance(0.2) ? user.toUpperCase() : user}`
  return { text, user, link: { text, path: `/${user}` } }
}

/** A commit by its id or URL. */
const commitReference = (dice: Dice, world: World): Part => {
  const repository = dice.chance(0.7) ? world.home : dice.pick([...world.commits.keys()])
  const sha = dice.pick(world.commits.get(repository) ?? [])
  const path = `/${repository}/commit/${sha}`
  const isHome = repository === world.home
  const short = upTo(sha, 7)
  const [owner = ""] = world.home.split("/")
  switch (dice.pick(isHome ? ["id", "id", "account", "full", "url"] : ["full", "url"])) {
    case "id":
      return { text: upTo(sha, dice.pick([7, 10, 40])), link: { text: short, path } }
    case "account":
      return { text: `${owner}@${sha}`, link: { text: `${owner}@${short}`, path } }
    case "full":
      return { text: `${repository}@${sha}`, link: { text: `${repository}@${short}`, path } }
    default:
      return {
        text: `${world.origin}${path}`,
        link: { text: isHome ? short : `${repository}@${short}`, path },
        isUrl: true
      }
  }
}

/** Text that resembles a reference, and means nothing. */
const lookalike = (dice: Dice, world: World): Part => {
  const [owner = "", name = ""] = world.home.split("/")
  const user = dice.pick(world.users)
  const sha = dice.pick(world.commits.get(world.home) ?? [])
  return dice.pick<Part>([
    { text: "x#1" },
    { text: "#1x" },
    { text: "#1_a" },
    { text: "#0" },
    { text: "#90000" },
    { text: "#" },
    { text: "# 1" },
    { text: "nobody-here/none#1" },
    { text: `${owner}/none#1` },
    { text: `${owner}/${name}` },
    { text: "GH-90000" },
    { text: "GH-1x" },
    { text: "XGH-1" },
    { text: `x@${user}` },
    { text: `${user}@example.com` },
    { text: `x@${user}.example.com` },
    { text: `@${user}_x` },
    { text: `@${user}.example` },
    { text: `@${world.organization}/dev` },
    { text: "@nobody-here" },
    { text: "@" },
    { text: upTo(sha, 6) },
    { text: `${upTo(sha, 12)}g` },
    { text: `z${sha}` },
    { text: "0123456789abcdef0123456789abcdef01234567" },
    { text: "https://example.com/a#1", isUrl: true },
    { text: `https://example.com/@${user}`, isUrl: true },
    { text: `https://example.com/${world.home}/issues/1`, isUrl: true }
  ])
}

/** An organization is linked, but nobody is notified. */
const organization = (_: Dice, world: World): Part => ({
  text: `@${world.organization}`,
  link: { text: `@${world.organization}`, path: `/${world.organization}` }
})

const reference = (dice: Dice, world: World): Part =>
  dice.pick([
    issueReference,
    issueReference,
    issueReference,
    mention,
    mention,
    commitReference,
    organization,
    lookalike,
    lookalike
  ])(dice, world)

const words = ["the lamp", "世界", "naïve", "👩‍👩‍👧", "e\u0301t", "𝒳 is", "and", "see", "fixed", "a_b", "1.", "&amp;", "x"]

/** Puts punctuation around a part that does not change the meaning. */
const punctuated = (dice: Dice, part: Part): string => {
  const [left, right] = part.isUrl
    ? dice.pick([
        ["", ""],
        ["(", ")"],
        ["", "."],
        ["", ","]
      ])
    : dice.pick([
        ["", ""],
        ["", ""],
        ["", ""],
        ["(", ")"],
        ['"', '"'],
        ["（", "）"],
        ["", "."],
        ["", ","],
        ["", ":"],
        ["", "!"],
        ["", "?"],
        ["", ";"],
        ["", "…"],
        ["", "'s"],
        ["", ", "]
      ])
  return `${left}${part.text}${right}`
}

/** Markdown in which references remain references. */
const live: ReadonlyArray<(text: string) => string> = [
  (text) => `**${text}**`,
  (text) => `*${text}*`,
  (text) => `_${text}_`,
  (text) => `~~${text}~~`,
  (text) => `<b>${text}</b>`,
  (text) => `<sub>${text}</sub>`
]

/** Markdown and HTML in which text is code, hidden, or the text of another link. */
const dead: ReadonlyArray<(text: string) => string> = [
  (text) => `\`${text}\``,
  (text) => `\`\` ${text} \`\``,
  (text) => `<code>${text}</code>`,
  (text) => `<!-- ${text} -->`,
  (text) => `<a href="https://example.com/">${text}</a>`,
  (text) => `![a ${text}](https://example.com/a.png)`,
  (text) => `[a](https://example.com/ "${text}")`
]

/** The text of a link cannot contain a URL, which would be a link itself. */
const deadWithoutUrls: ReadonlyArray<(text: string) => string> = [(text) => `[a ${text}](https://example.com/)`]

export interface Text {
  readonly text: string
  readonly links: ReadonlyArray<Link>
  readonly issues: ReadonlySet<string>
  readonly users: ReadonlySet<string>
}

interface Piece {
  readonly text: string
  readonly parts: ReadonlyArray<Part>
}

/** A few words with references, of one line. */
const inline = (dice: Dice, world: World): Piece => {
  const pieces = dice.some(1, 4, (): Piece => {
    if (dice.chance(0.3)) return { text: dice.pick(words), parts: [] }
    const part = reference(dice, world)
    if (dice.chance(0.2) && !part.isUrl) return { text: dice.pick(live)(part.text), parts: [part] }
    if (dice.chance(0.2)) {
      return { text: dice.pick(part.isUrl ? dead : [...dead, ...deadWithoutUrls])(part.text), parts: [] }
    }
    // Markdown removes the backslash before a mention is looked for.
    if (dice.chance(0.1) && /^[@#]\w/.test(part.text)) return { text: `\\${part.text}`, parts: [part] }
    if (dice.chance(0.2) && part.user !== undefined) return { text: `请${part.text}看`, parts: [part] }
    return { text: punctuated(dice, part), parts: [part] }
  })
  return { text: pieces.map(({ text }) => text).join(" "), parts: pieces.flatMap(({ parts }) => parts) }
}

/** Blocks in which references remain references. */
const liveBlocks: ReadonlyArray<(text: string) => string> = [
  (text) => `a ${text}`,
  (text) => `a ${text}`,
  (text) => `## a ${text}`,
  (text) => `> a ${text}`,
  (text) => `> > a ${text}`,
  (text) => `- a ${text}\n- b`,
  (text) => `1. a ${text}`,
  (text) => `- [ ] a ${text}`,
  (text) => `| a | b |\n| - | - |\n| c ${text} | d |`,
  (text) => `<details>\n\na ${text}\n\n</details>`,
  (text) => `a\nb ${text}\nc`
]

/** Blocks of code and comments. */
const deadBlocks: ReadonlyArray<(text: string) => string> = [
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `~~~~ sh\n~~~\n${text}\n~~~~`,
  (text) => `    ${text}`,
  (text) => `<pre>\n${text}\n</pre>`,
  (text) => `<!--\n${text}\n-->`,
  (text) => `> \`\`\`\n> ${text}\n> \`\`\``,
  (text) => `- a\n\n  \`\`\`\n  ${text}\n  \`\`\``
]

/** A Markdown text with its meaning. */
export const markdown = (dice: Dice, world: World): Text => {
  const blocks = dice.some(1, 4, (): Piece => {
    if (dice.chance(0.2)) {
      // Inline code and comments would end the block.
      return { text: dice.pick(deadBlocks)(reference(dice, world).text), parts: [] }
    }
    const { parts, text } = inline(dice, world)
    return { text: dice.pick(liveBlocks)(text), parts }
  })
  // A comment separates a list from indented code, which would continue the list.
  return meaning(
    blocks.map(({ text }) => text).join("\n\n<!-- -->\n\n"),
    blocks.flatMap(({ parts }) => parts)
  )
}

const defined = <A>(values: ReadonlyArray<A | undefined>) => values.filter((value) => value !== undefined)

const meaning = (text: string, parts: ReadonlyArray<Part>): Text => ({
  text,
  links: defined(parts.map(({ link }) => link)),
  issues: new Set(defined(parts.map(({ issue }) => issue))),
  users: new Set(defined(parts.map(({ user }) => user)))
})

export interface Message {
  readonly text: string
  readonly issues: ReadonlySet<string>
  /** The issues that the commit closes on the default branch. */
  readonly closes: ReadonlySet<string>
}

const keywords = ["close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"]
const cases: ReadonlyArray<(word: string) => string> = [
  (word) => word,
  (word) => word.charAt(0).toUpperCase() + word.slice(1),
  (word) => word.toUpperCase()
]

/** Words before a reference that resemble a keyword. */
const otherWords = [
  "fixing",
  "closing",
  "prefix",
  "encloses",
  "fixer",
  "resolve the",
  "fixes issue",
  "unresolved",
  "see"
]

/** The message of a commit with its meaning. A message is no Markdown. */
export const message = (dice: Dice, world: World): Message => {
  const clauses = dice.some(1, 4, (): Part => {
    if (dice.chance(0.15)) return { text: dice.pick(["Light the lamp", "世界", "Improve it"]) }
    if (dice.chance(0.15)) {
      const part = lookalike(dice, world)
      return { text: dice.chance(0.5) ? `${dice.pick(keywords)} ${part.text}` : part.text }
    }
    const part = issueReference(dice, world)
    if (dice.chance(0.3)) return part
    if (dice.chance(0.3)) return { ...part, text: `${dice.pick(otherWords)} ${part.text}` }
    const keyword = dice.pick(cases)(dice.pick(keywords))
    const closes = part.issue
    return { ...part, text: `${keyword}${dice.pick([" ", " ", ": "])}${part.text}`, ...(closes && { closes }) }
  })
  const joined = clauses.map(({ text }) => text).join(dice.pick([", ", ". ", "\n\n", " and ", "\n- "]))
  return {
    text: `${dice.pick(["", "Change the lamp: "])}${joined}`,
    issues: new Set(defined(clauses.map(({ issue }) => issue))),
    closes: new Set(defined(clauses.map(({ closes }) => closes)))
  }
}
