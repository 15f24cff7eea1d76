/** The settings of a repository in words, with what each means. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../content/Document.ts"
import type { DocumentLine } from "../content/Document.ts"
import * as Source from "../content/Source.ts"
import { blank, type Fact, fact, heading } from "./organization/Heading.ts"
import { type Screen, text } from "./Screen.ts"

const visibilities: Readonly<Record<string, string>> = {
  public: "public: everyone can read it",
  private: "private: only people with access can read it",
  internal: "internal: the members of the enterprise can read it"
}

/** Describes the role of the account in the repository. */
const roleOf = ({ permissions }: Repository): string | undefined => {
  if (permissions === undefined) return undefined
  if (permissions.admin) return "administrator: you can change these settings"
  if (permissions.maintain === true) return "maintainer: you can push and manage, but not administer"
  if (permissions.push) return "writer: you can push"
  if (permissions.triage === true) return "triage: you can sort issues, but not push"
  return permissions.pull ? "reader: you cannot push" : "none"
}

/** Formats a setting that is on or off. Absent if the forge does not say. */
const onOff = (name: string, value: boolean | undefined, meaning: string): Fact | undefined =>
  value === undefined ? undefined : { name, value: value ? `on: ${meaning}` : "off", role: value ? "plain" : "muted" }

const named = (name: string, value: string | null | undefined, role?: Fact["role"]): Fact | undefined =>
  value === undefined || value === null || value === "" ? undefined : { name, value, role }

/** Formats a fact whose age depends on the time. */
const aged =
  (name: string, date: string | null, columns: number): Document.LineAtTime =>
  (now) =>
    fact({ name, value: date === null ? "never" : RelativeTime.format(Date.parse(date), now) }, columns)[0] ?? blank

interface Part {
  readonly title: string
  readonly facts: ReadonlyArray<Fact | undefined>
}

const partsOf = (self: Repository): ReadonlyArray<Part> => [
  {
    title: "About",
    facts: [
      named("name", self.full_name, "strong"),
      { name: "description", value: self.description ?? "none", role: self.description === null ? "muted" : "plain" },
      named("web page", self.homepage, "link"),
      named("topics", self.topics?.join(", ")),
      named("language", self.language),
      named("license", self.license?.name),
      self.fork ? { name: "fork", value: "yes: it was copied from another repository" } : undefined,
      self.is_template === true ? { name: "template", value: "yes: new repositories can start as a copy" } : undefined
    ]
  },
  {
    title: "Access",
    facts: [
      named("visibility", visibilities[self.visibility ?? (self.private ? "private" : "public")] ?? self.visibility),
      named("your role", roleOf(self)),
      self.archived
        ? { name: "archived", value: "yes: nobody can push or change it", role: "warning" }
        : { name: "archived", value: "no", role: "muted" },
      self.disabled ? { name: "disabled", value: "yes: the forge has blocked it", role: "warning" } : undefined
    ]
  },
  {
    title: "Branches and merges",
    facts: [
      { name: "default branch", value: self.default_branch, role: "strong" },
      onOff("merge commits", self.allow_merge_commit, "a merge can keep all commits of its branch"),
      onOff("squash merges", self.allow_squash_merge, "a merge can put all commits into one"),
      onOff("rebase merges", self.allow_rebase_merge, "a merge can put the commits on top, one by one"),
      onOff("auto-merge", self.allow_auto_merge, "a pull request can merge by itself when it is ready"),
      onOff("delete merged branches", self.delete_branch_on_merge, "a branch goes away after its merge")
    ]
  },
  {
    title: "Features",
    facts: [
      onOff("issues", self.has_issues, `${NumberFormat.format(self.open_issues_count)} open`),
      onOff("projects", self.has_projects, "plans can be kept beside the code"),
      onOff("wiki", self.has_wiki, "pages of text can be kept beside the code"),
      onOff("discussions", self.has_discussions, "people can talk without an issue")
    ]
  },
  {
    title: "Numbers",
    facts: [
      { name: "size", value: NumberFormat.bytes(self.size * 1_000) },
      { name: "forks", value: NumberFormat.format(self.forks_count) },
      { name: "stars", value: NumberFormat.format(self.stargazers_count) }
    ]
  },
  {
    title: "Clone",
    facts: [named("over HTTP", self.clone_url), named("over SSH", self.ssh_url), named("mirror of", self.mirror_url)]
  }
]

/** Creates the document. `m` changes the settings. */
const document = (self: Repository): Document.Document =>
  Document.make(
    self.full_name,
    (columns) => {
      const sections: Array<Document.Section> = []
      const lines: Array<DocumentLine | Document.LineAtTime> = []
      for (const { facts, title } of partsOf(self)) {
        const known = facts.filter((fact) => fact !== undefined)
        if (known.length === 0) continue
        if (lines.length > 0) lines.push(blank)
        sections.push({ firstLine: lines.length, title, label: heading(title).line })
        lines.push(heading(title), ...known.flatMap((one) => fact(one, columns)))
        if (title === "About")
          lines.push(aged("created", self.created_at, columns), aged("last push", self.pushed_at, columns))
      }
      return Document.fromLines(lines, { sections })
    },
    { webUrl: self.html_url, value: self }
  )

/** The screen of `repositories.get`. */
export const screen: Screen = {
  id: "repositories.get",
  label: "settings",
  get entry() {
    return entriesOfGroup("repositories").find(({ name }) => name === "get")
  },
  required: ["owner", "repo"],
  title: () => "settings",
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) => forge.repositories.get({ owner: text(values, "owner"), repo: text(values, "repo") }, options),
      document
    )
}
