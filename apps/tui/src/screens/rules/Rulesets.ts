/** The rulesets of an organization. Lists have neither rules nor conditions. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Ruleset } from "@tongs/core/contract/groups/Rulesets"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Role } from "../../text/StyledLine.ts"
import { blank, fact, heading } from "../organization/Heading.ts"
import { type Screen, text } from "../Screen.ts"
import * as RuleText from "./RuleText.ts"

const enforcements: Readonly<Record<string, readonly [word: string, role: Role]>> = {
  active: ["active", "success"],
  enabled: ["enabled", "success"],
  evaluate: ["evaluate only", "warning"],
  disabled: ["disabled", "muted"]
}

const enforcement = ({ enforcement: value }: Ruleset): readonly [word: string, role: Role] =>
  enforcements[value] ?? [value, "plain"]

const targets: Readonly<Record<string, string>> = { branch: "branches", tag: "tags", push: "pushes" }

const target = ({ target: value = "branch" }: Ruleset): string =>
  value === "repository" ? "repositories" : (targets[value] ?? value)

/** Creates the table of an organization's rulesets. */
export const table = (org: string): TableDefinition<Ruleset> => ({
  columns: [
    { header: "NAME", size: "grow" },
    { header: "FOR", size: "fit", optional: 2 },
    { header: "ENFORCEMENT", size: "fit" },
    { header: "ID", size: "fit", align: "right", optional: 3 },
    { header: "UPDATED", size: "fit", align: "right", optional: 1 }
  ],
  noun: ["ruleset", "rulesets"],
  hasHeader: true,
  emptyMessage: { title: "No rulesets", hint: "c creates one" },
  row: (item) => ({
    id: String(item.id),
    title: item.name,
    copy: item.name,
    webUrl: item._links?.html?.href,
    route: Route.make("rulesets.getForOrg", { org, ruleset_id: item.id }),
    arguments: {},
    value: item,
    cells: (now) => [
      StyledLine.line(item.name, "strong"),
      StyledLine.line(target(item)),
      StyledLine.line(...enforcement(item)),
      StyledLine.line(String(item.id), "id"),
      StyledLine.line(age(item.updated_at, now), "muted")
    ],
    preview: () => document(item, "Press Enter to see the rules and conditions.")
  })
})

const age = (timestamp: string | undefined, now: number): string =>
  timestamp === undefined ? "" : RelativeTime.format(Date.parse(timestamp), now)

/**
 * Creates the document of a ruleset: rules, conditions and bypass actors in words. A ruleset from a list has `note`
 * instead.
 */
const document = (self: Ruleset, note = "The forge gives no rules."): Document.Document =>
  Document.make(
    self.name,
    (columns) => {
      const [word, role] = enforcement(self)
      const { bypass_actors: actors, conditions, rules } = self
      const isSummary = rules === undefined && actors === undefined && (conditions ?? undefined) === undefined
      return Document.fromLines([
        ...StyledLine.wrap(self.name, columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        blank,
        ...fact({ name: "enforcement", value: word, role }, columns),
        ...fact({ name: "for", value: target(self) }, columns),
        ...fact({ name: "of", value: self.source }, columns),
        ...fact({ name: "id", value: String(self.id), role: "id" }, columns),
        ...(conditions == undefined // oxlint-disable-line eqeqeq -- null or missing
          ? []
          : RuleText.conditions(conditions).flatMap(([name, value]) => fact({ name, value }, columns))),
        ...(self.created_at === undefined
          ? []
          : [(now: number) => fact({ name: "created", value: age(self.created_at, now) }, columns)[0] ?? blank]),
        ...(rules === undefined
          ? []
          : [
              blank,
              heading(rules.length === 0 ? "No rules" : "Rules"),
              ...rules.flatMap((rule) => item(RuleText.rule(rule), columns))
            ]),
        ...(actors === undefined || actors.length === 0
          ? []
          : [
              blank,
              heading("May bypass the rules"),
              ...actors.flatMap((actor) => item(RuleText.bypass(actor), columns))
            ]),
        ...(isSummary
          ? [
              blank,
              ...StyledLine.wrap(note, columns).map((part) => ({
                line: StyledLine.line(part, "muted")
              }))
            ]
          : [])
      ])
    },
    { value: self, webUrl: self._links?.html?.href }
  )

const item = (words: string, columns: number) =>
  StyledLine.wrap(words, columns - 2).map((part, index) => ({
    line: [StyledLine.span(index === 0 ? "- " : "  ", "muted"), StyledLine.span(part)],
    copy: words
  }))

const entryOf = (name: string) => entriesOfGroup("rulesets").find((entry) => entry.name === name)

const list: Screen = {
  id: "rulesets.listForOrg",
  label: "rulesets",
  get entry() {
    return entryOf("listForOrg")
  },
  required: ["org"],
  title: () => "rulesets",
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table(text(values, "org")),
      fetch: (forge, { cursor: _cursor, ...request }) =>
        Effect.suspend(() => {
          const wanted = text(values, "targets")
          const query = { org: text(values, "org"), ...(wanted === "" ? {} : { targets: wanted }) }
          return forge.rulesets.listForOrg(query, request).first
        }),
      isNumbered: true,
      perPage: 100
    })
}

const single: Screen = {
  id: "rulesets.getForOrg",
  label: "ruleset",
  get entry() {
    return entryOf("getForOrg")
  },
  required: ["org", "ruleset_id"],
  title: (values) => `ruleset ${text(values, "ruleset_id")}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        forge.rulesets.getForOrg({ org: text(values, "org"), ruleset_id: Number(text(values, "ruleset_id")) }, options),
      (ruleset) => document(ruleset)
    )
}

/** The screens of rulesets: the list of an organization, and one ruleset. */
export const screens: ReadonlyArray<Screen> = [list, single]
