/** What a repository is written in, as a bar and in words. */
import type * as Explore from "@tongs/core/explore/Explore"
import { displayText } from "../model/displayText.ts"

interface Share {
  readonly name: string
  readonly size: number
}

/** Languages that get a colour and a name; the rest is told together. */
const NAMED = 4

/** Colours that the style sheet has. */
const HUES = 8

/** The colour of each language, the same in all repositories: what there is most of comes first. */
export const languageHues = (repositories: ReadonlyArray<Explore.IndexedRepository>): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { name, size } of repositories.flatMap(({ languages }) => languages)) {
    sizes.set(name, (sizes.get(name) ?? 0) + size)
  }
  return new Map(
    [...sizes]
      .sort(([, a], [, b]) => b - a)
      .slice(0, HUES)
      .map(([name], hue) => [name, hue])
  )
}

export const LanguageBar = ({
  hues,
  languages
}: {
  readonly languages: ReadonlyArray<Share>
  readonly hues: ReadonlyMap<string, number>
}) => {
  const total = languages.reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return null
  const named = languages.slice(0, NAMED)
  const rest = languages.slice(NAMED).reduce((sum, { size }) => sum + size, 0)
  const parts = rest === 0 ? named : [...named, { name: "other", size: rest }]
  return (
    <div className="languages">
      <div className="bar-of" aria-hidden="true">
        {parts.map(({ name, size }) => (
          <span key={name} data-hue={hues.get(name) ?? "other"} style={{ flexGrow: size / total }} />
        ))}
      </div>
      <ul aria-label="Languages">
        {parts.map(({ name, size }) => (
          <li key={name} data-hue={hues.get(name) ?? "other"}>
            {displayText(name)} <span className="dim">{percent(size / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const percent = (share: number): string => (share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`)
