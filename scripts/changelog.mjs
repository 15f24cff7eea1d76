/** The sections of CHANGELOG.md. `node scripts/changelog.mjs VERSION` prints the section of a version. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

/** Headings by the type of a release in a changeset, in the order of a section. */
const headings = { major: "Breaking changes", minor: "New", patch: "Fixed" }

/** @typedef {{ summary: string, releases: ReadonlyArray<{ name: string, type: string }> }} Changeset */

/**
 * Returns the kind of a changeset: the largest among the packages.
 * @param {Changeset} changeset
 */
const kindOf = ({ releases }) => Object.keys(headings).find((kind) => releases.some(({ type }) => type === kind))

/**
 * Returns a changelog with a section for a version, above the other sections.
 * @param {string} changelog
 * @param {string} version
 * @param {ReadonlyArray<Changeset>} changesets
 */
export const withSection = (changelog, version, changesets) => {
  const groups = Object.entries(headings).flatMap(([kind, heading]) => {
    const items = changesets
      .filter((changeset) => kindOf(changeset) === kind)
      .map(({ releases, summary }) => {
        const names = releases.map(({ name }) => `\`${name}\``).join(", ")
        return `- ${names}: ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`
      })
    return items.length === 0 ? [] : [`### ${heading}\n\n${items.join("\n")}\n\n`]
  })
  return changelog.replace(/^(?=## )/m, () => `## ${version}\n\n${groups.join("")}`)
}

/**
 * Returns the text of a version's section. Fails for a missing section, or a heading with more than the version.
 * @param {string} changelog
 * @param {string} version
 */
export const sectionOf = (changelog, version) => {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(version) && /^\s/.test(text.slice(version.length)))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ## ${version}.`)
  const [heading = "", ...lines] = section.split("\n")
  if (heading !== version) throw new Error(`CHANGELOG.md has the heading "${heading}". Write ## ${version}.`)
  return `${lines.join("\n").trim()}\n`
}

const [, script, version] = process.argv
if (script === import.meta.filename && version !== undefined) {
  process.stdout.write(sectionOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version))
}
