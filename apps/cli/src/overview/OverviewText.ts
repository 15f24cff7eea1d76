import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Table from "@tongs/core/text/Table"
import * as Terminal from "@tongs/core/text/Terminal"
import * as BudgetReport from "../session/BudgetReport.ts"
import type { Paint } from "../session/Flags.ts"
import type { CommitLine, Overview, RepositoryOverview } from "./Overview.ts"

/** Options of the text format. */
export interface Options {
  /** Maximum width of a line in columns. */
  readonly columns: number
  /** Current time in epoch milliseconds, for relative times. */
  readonly now: number
  readonly paint: Paint
}

/** Formats an overview as lines. */
export const format = (overview: Overview, options: Options): ReadonlyArray<string> => {
  const { columns, now, paint } = options
  const cut = (text: string, room = columns) => Terminal.truncate(Terminal.escape(text), room)
  const { forge, repository } = overview
  return [
    paint.bold(cut(repository?.full_name ?? forge.label)),
    ...(repository?.description ? [cut(repository.description)] : []),
    "",
    ...(repository === null ? listed(overview) : facts(repository, now)).flatMap(([name, ...values]) =>
      values.map(
        (value, index) => `${paint.dim(Terminal.pad(index === 0 ? name : "", NAME))}${cut(value, columns - NAME)}`
      )
    ),
    `${paint.dim(Terminal.pad("Budget", NAME))}${cut(BudgetReport.summary(overview.budget, now), columns - NAME)}`,
    `${paint.dim(Terminal.pad("Forge", NAME))}${cut(forge.label, columns - NAME)}`,
    ...(repository === null || repository.commits.length === 0
      ? []
      : [
          "",
          ...commitTable(repository.commits, columns, now).map((line, index) => (index === 0 ? paint.dim(line) : line))
        ]),
    ...(overview.notices.length === 0
      ? []
      : ["", ...overview.notices.flatMap((notice) => wrap(Terminal.escape(notice), columns))])
  ]
}

/** Width of the column with names. */
const NAME = 16

type Fact = readonly [name: string, ...values: ReadonlyArray<string>]

const facts = (repository: RepositoryOverview, now: number): ReadonlyArray<Fact> => {
  const { branches, files, head, tags } = repository
  return [
    ["Default branch", repository.default_branch],
    head === null
      ? ["Head", "no commits yet"]
      : [
          "Head",
          `${AbbreviatedId.of(head.sha)}  ${head.subject}`,
          [head.author, age(head, now)].filter((part) => part !== "").join(", ")
        ],
    ["Branches", NumberFormat.format(branches)],
    ["Tags", NumberFormat.format(tags)],
    ["Files", `${NumberFormat.format(files)}${repository.files_truncated ? " or more" : ""}`],
    ...(repository.languages.length === 0 ? [] : [["Languages", languages(repository)] as const])
  ]
}

const listed = ({ repositories }: Overview): ReadonlyArray<Fact> =>
  repositories.length === 0
    ? [["Repositories", "none"]]
    : [["Repositories", ...repositories.map(({ full_name }) => full_name)]]

const languages = ({ languages: all }: RepositoryOverview) => {
  const shown = all.slice(0, 4).filter(({ share }) => share >= 0.01)
  return shown.map(({ language, share }) => `${language} ${Math.round(share * 100)}%`).join(", ")
}

const age = ({ date }: CommitLine, now: number) => (date === "" ? "" : RelativeTime.format(Date.parse(date), now))

const commitTable = (commits: ReadonlyArray<CommitLine>, columns: number, now: number) =>
  Table.render<CommitLine>(
    [
      { header: "COMMIT", value: ({ sha }) => AbbreviatedId.of(sha), keep: true },
      { header: "SUBJECT", value: ({ subject }) => subject },
      { header: "AUTHOR", value: ({ author }) => author },
      { header: "AGE", value: (commit) => age(commit, now), keep: true }
    ],
    commits,
    columns
  )

/** Wraps text at spaces. */
const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && Terminal.width(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].map((one) => Terminal.truncate(one, columns))
}
