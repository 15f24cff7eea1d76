/** What a repository is written in, as a bar and in words. */
import { shown } from "../Shown.ts"

interface Share {
  readonly name: string
  readonly size: number
}

/** Languages that get a colour and a name; the rest is told together. */
const NAMED = 4

export const Languages = ({ languages }: { readonly languages: ReadonlyArray<Share> }) => {
  const total = languages.reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return null
  const named = languages.slice(0, NAMED)
  const rest = languages.slice(NAMED).reduce((sum, { size }) => sum + size, 0)
  const parts = rest === 0 ? named : [...named, { name: "other", size: rest }]
  return (
    <div className="languages">
      <div className="bar-of" aria-hidden="true">
        {parts.map(({ name, size }, at) => (
          <span key={name} data-hue={name === "other" ? "other" : at} style={{ flexGrow: size / total }} />
        ))}
      </div>
      <ul aria-label="Languages">
        {parts.map(({ name, size }, at) => (
          <li key={name} data-hue={name === "other" ? "other" : at}>
            {shown(name)} <span className="dim">{percent(size / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const percent = (share: number): string => (share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`)
